import { waited, type Figure } from './figure.js';

/** Servers, placements and results. */
export const serverFigures = {
  slots: {
    kind: 'gauge',
    name: 'muster_slots',
    help: 'Slots of servers that are ready or draining, by state: used, free, or draining for unused slots of a draining server.',
    labels: ['region', 'state'],
    scope: 'system',
    from: 'allocator',
    advice: '`free` near 0: start servers, or let scale-out do it.',
  },
  oldestHeartbeat: {
    kind: 'gauge',
    name: 'muster_oldest_heartbeat_seconds',
    help: 'Time since the last heartbeat of the server that is silent for longest, of those ready or draining; 0 without one.',
    labels: ['muster_service'],
    scope: 'system',
    from: 'allocator',
    advice:
      'It stays below the interval of heartbeats. Near the silence limit the server will count as lost: `muster server list` shows which.',
  },
  registrationsRefused: {
    kind: 'gauge',
    name: 'muster_registrations_refused',
    help: 'Registrations under the id of a server at another address, since the process began.',
    labels: ['muster_service'],
    scope: 'process',
    from: 'allocator',
    advice: 'Two servers share an id: see [Dedicated servers](http.md#dedicated-servers).',
  },
  placements: {
    kind: 'counter',
    name: 'muster_placements_total',
    help: 'Attempts to place a match by outcome: reserved, none-free, or settled if nothing was left to do.',
    labels: ['outcome'],
    scope: 'process',
    from: 'allocator',
    advice: '`none-free`: servers are missing in the regions of the players; see `muster_slots`.',
  },
  placementAttempts: {
    kind: 'histogram',
    name: 'muster_placement_attempts',
    help: 'Attempts until a slot was reserved for a match.',
    labels: [],
    buckets: [1, 2, 3, 5, 10, 20],
    scope: 'process',
    from: 'allocator',
    advice:
      'Servers refuse or are silent: see `muster_command_answers_total`; or slots are scarce: see `muster_slots`.',
  },
  commandAnswers: {
    kind: 'counter',
    name: 'muster_command_answers_total',
    help: 'Answers of servers to commands by outcome: done, refused, again for a repeat, withdrawn for one that came late, unknown, or silent for a session that was not created in time.',
    labels: ['outcome'],
    scope: 'process',
    from: 'allocator',
    advice:
      '`refused` and `silent`: look at the logs of the servers that `muster server list` shows as overloaded.',
  },
  timeToPlace: {
    kind: 'histogram',
    name: 'muster_placement_seconds',
    help: 'Time from the proposal of a match to the reservation of a slot.',
    labels: [],
    buckets: waited,
    scope: 'process',
    from: 'allocator',
    advice:
      'See `muster_slots` for free slots and `muster_command_answers_total` for servers that do not answer.',
  },
  results: {
    kind: 'counter',
    name: 'muster_results_total',
    help: 'Results of servers by outcome: counted, again for a repeat, contradicts for a conflict, withdrawn for one that came late, else the reason for the refusal.',
    labels: ['outcome'],
    scope: 'process',
    from: 'allocator',
    advice:
      '`contradicts`: decide the conflicts that `GET /v1/result-conflicts` lists. `withdrawn`: servers fall silent during matches.',
  },
  outageMatches: {
    kind: 'gauge',
    name: 'muster_outage_matches',
    help: 'Matches whose penalties were lifted because most matches of their server, region or time blamed players, since the process began.',
    labels: ['muster_service'],
    scope: 'process',
    from: 'allocator',
    advice: 'There was an outage: see [Penalties](http.md#penalties).',
  },
} as const satisfies Record<string, Figure>;

/** Ratings. */
export const ratingFigures = {
  matchesRated: {
    kind: 'counter',
    name: 'muster_matches_rated_total',
    help: 'Ended matches by outcome: rated with the pool, unratable, closed if they were rated or void before, or not-ended.',
    labels: ['pool', 'outcome'],
    scope: 'process',
    from: 'rating',
    advice: 'Few `rated` while results are counted: look for dead letters of `rate-match`.',
  },
  ratingsChanged: {
    kind: 'counter',
    name: 'muster_ratings_changed_total',
    help: 'Ratings of players that matches changed.',
    labels: ['pool'],
    scope: 'process',
    from: 'rating',
    advice:
      'It follows the rate of results. It stands still while results are counted: see `muster_oldest_job_seconds`.',
  },
  logLoss: {
    kind: 'gauge',
    name: 'muster_pool_log_loss',
    help: 'Mean log-loss of the predictions of the last 2,000 rated matches of a pool; ln 2 = 0.693 is a coin.',
    labels: ['pool'],
    scope: 'system',
    from: 'rating',
    advice: 'Near or above 0.693 the pool predicts nothing: see [docs/rating.md](rating.md).',
  },
  calibrationScale: {
    kind: 'gauge',
    name: 'muster_pool_calibration_scale',
    help: 'Factor by which the calibration in force stretches the predicted leads of a pool.',
    labels: ['pool'],
    scope: 'system',
    from: 'rating',
    advice:
      'Far from 1: the parameters of the pool do not fit the game; `muster pool tune` searches better ones.',
  },
  openCases: {
    kind: 'gauge',
    name: 'muster_cases_open',
    help: 'Cases of integrity that wait for an operator, of the oldest 10,000.',
    labels: ['kind'],
    scope: 'system',
    from: 'rating',
    advice: '`muster case list` lists them.',
  },
} as const satisfies Record<string, Figure>;
