/** Series of a scenario: their values as promtool reads them, one a minute. */
export type Series = Readonly<Record<string, string>>;

/** An alert that must fire when these series join those of a quiet night, and no other with it. */
export interface AlertCase {
  readonly alert: string;
  readonly series: Series;
  /** Labels beside `namespace`, with its severity. */
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Minutes after which it fires; 20 unless told. */
  readonly at?: number;
}

const services = ['queue', 'assignment', 'allocator', 'rating'];
const outcomes = ['assigned', 'cancelled', 'expired', 'failed'];

/** A series of one process in the namespace of the tests. */
const of = (name: string, labels: Readonly<Record<string, string>>, instance = 'a'): string =>
  `${name}{${Object.entries({ namespace: 'games', job: 'muster', instance, ...labels })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;

/** The same value of two replicas. */
const both = (name: string, labels: Readonly<Record<string, string>>, values: string): Series => ({
  [of(name, labels, 'a')]: values,
  [of(name, labels, 'b')]: values,
});

const queue = '5v5';
const region = 'eu';
const pool = 'ranked';

/**
 * A night in a quiet game: three tickets wait for players that do not come, until they expire. Nothing is matched.
 *
 * @param gauge values of a gauge
 * @param counter values of a counter
 */
export function quietNight(
  gauge = (value: number): string => `${value}x600`,
  counter = (value: number, step = 0): string => `${value}+${step}x600`,
): Series {
  return {
    ...both('muster_tickets_waiting', { queue }, gauge(3)),
    ...both('muster_oldest_ticket_seconds', { queue }, gauge(595)),
    ...both('muster_tickets_waiting_for', { queue, rule: 'players' }, gauge(3)),
    ...both('muster_queue_late_seconds', { queue }, gauge(120)),
    ...both('muster_queue_least_tickets', { queue }, gauge(10)),
    ...both('muster_queue_paused', { queue }, gauge(0)),
    ...both('muster_queue_placement_timeout_seconds', { queue }, gauge(300)),
    ...Object.assign(
      {},
      ...outcomes.map((outcome) =>
        both(
          'muster_tickets_ended_total',
          { queue, outcome },
          outcome === 'expired' ? counter(50, 1) : counter(0),
        ),
      ),
    ),
    [of('muster_http_requests_total', { endpoint: 'createTicket', status: '201' })]: counter(90, 1),
    [of('muster_http_requests_total', { endpoint: 'createTicket', status: '409' })]: counter(90, 2),
    ...both('muster_slots', { region, state: 'used' }, gauge(0)),
    ...both('muster_slots', { region, state: 'free' }, gauge(4)),
    ...both('muster_slots', { region: 'us', state: 'used' }, gauge(2)),
    ...both('muster_slots', { region: 'us', state: 'free' }, gauge(0)),
    ...both('muster_oldest_heartbeat_seconds', {}, gauge(2.5)),
    ...both('muster_silence_limit_seconds', {}, gauge(10)),
    [of('muster_command_answers_total', { outcome: 'done' })]: counter(90),
    [of('muster_command_answers_total', { outcome: 'refused' })]: counter(3),
    [of('muster_results_total', { outcome: 'counted' })]: counter(45),
    ...both('muster_result_conflicts_open', {}, gauge(0)),
    [of('muster_results_total', { outcome: 'withdrawn' })]: counter(4),
    ...both('muster_pool_calibration_scale', { pool }, gauge(3)),
    ...both('muster_pool_log_loss', { pool }, gauge(0.9)),
    ...both('muster_pool_log_loss_matches', { pool }, gauge(40)),
    ...both('muster_oldest_job_seconds', { job_queue: 'rate-match' }, gauge(0)),
    ...both('muster_dead_letters', { job_queue: 'rate-match' }, gauge(2)),
    ...both('muster_outbox_lag_seconds', { owner: 'rating' }, gauge(0)),
    ...both('muster_loop_idle_seconds', { loop: 'retention' }, gauge(3_500)),
    ...both('muster_loop_due_seconds', { loop: 'retention' }, gauge(11_100)),
    ...both('muster_invariant_violations', { invariant: 'heldPlayerOfEndedMatch' }, gauge(0)),
    ...both('muster_event_lag_seconds', {}, gauge(0)),
    ...both('muster_webhook_lag_seconds', { webhook: 'chat' }, gauge(0)),
    [of('muster_grpc_calls_total', { method: 'RatingService.Levels', outcome: 'ok' })]: counter(500, 1),
    [of('muster_grpc_calls_total', { method: 'RatingService.Levels', outcome: 'unavailable' })]: counter(1),
    ...both('muster_database_waiting', {}, gauge(0)),
    ...both('nodejs_eventloop_lag_p99_seconds', {}, gauge(0.012)),
    // Another program of the same machine.
    [of('nodejs_eventloop_lag_p99_seconds', {}, 'other')]: gauge(3),
    ...both('process_open_fds', {}, gauge(60)),
    ...both('process_max_fds', {}, gauge(1_000)),
    [of('muster_problems_total', { problem: 'too-busy' })]: counter(0),
    ...both('muster_source_up', { source: 'jobs' }, gauge(1)),
    ...both('up', {}, gauge(1)),
    ...Object.assign(
      {},
      ...services.map((name) => both('muster_open_calls', { muster_service: name }, gauge(3))),
    ),
  };
}

/** An hour of night, then everything is away for three minutes, then new processes with new stores. */
export const restart = (): Series =>
  quietNight(
    (value) => `${value}x60 _x3 ${value}x60`,
    (value, step = 0) => `${value}+${step}x60 _x3 0+${step}x60`,
  );

/** What becomes of each alert. */
export const alertCases: readonly AlertCase[] = [
  {
    alert: 'MusterMatchingLate',
    series: {
      ...both('muster_tickets_waiting', { queue }, '14x600'),
      ...both('muster_tickets_waiting_for', { queue, rule: 'none' }, '11x600'),
    },
    labels: { severity: 'warning', queue },
    summary: 'A ticket of queue 5v5 has waited for 9m 55s, though enough tickets wait.',
  },
  {
    // No matcher runs, so no process says what tickets wait for.
    alert: 'MusterMatchingLate',
    series: {
      ...both('muster_tickets_waiting', { queue }, '14x600'),
      ...both('muster_tickets_waiting_for', { queue, rule: 'players' }, '_x600'),
    },
    labels: { severity: 'warning', queue },
    summary: 'A ticket of queue 5v5 has waited for 9m 55s, though enough tickets wait.',
  },
  {
    alert: 'MusterTicketsFail',
    series: both('muster_tickets_ended_total', { queue, outcome: 'failed' }, '0x10 10x600'),
    labels: { severity: 'critical', queue },
    summary: '40% of the tickets of queue 5v5 that end fail.',
  },
  {
    alert: 'MusterMatchesUnplaced',
    series: both('muster_oldest_unplaced_match_seconds', { queue }, '0x9 160x600'),
    labels: { severity: 'critical', queue },
    summary: 'A match of queue 5v5 has had no server for 2m 40s.',
  },
  {
    alert: 'MusterTicketsRefused',
    series: {
      [of('muster_http_requests_total', { endpoint: 'createTicket', status: '401' })]: '0+30x600',
    },
    labels: { severity: 'warning' },
    summary: '96.97% of the tickets that players ask for are refused.',
  },
  {
    alert: 'MusterCallsFail',
    series: {
      [of('muster_http_requests_total', { endpoint: 'createTicket', status: '503' })]: '0+9x600',
    },
    labels: { severity: 'critical', endpoint: 'createTicket' },
    summary: '75% of the calls of createTicket fail.',
  },
  {
    alert: 'MusterSlotsScarce',
    series: {
      ...both('muster_slots', { region, state: 'used' }, '97x600'),
      ...both('muster_slots', { region, state: 'free' }, '3x600'),
    },
    labels: { severity: 'warning', region },
    summary: '3% of the slots in eu are free.',
  },
  {
    alert: 'MusterServersSilent',
    series: both('muster_oldest_heartbeat_seconds', {}, '2x9 75x600'),
    labels: { severity: 'warning' },
    summary: 'A server has been silent for 1m 15s and is not lost.',
  },
  {
    alert: 'MusterServersRefuse',
    series: {
      [of('muster_command_answers_total', { outcome: 'done' })]: '90+3x600',
      [of('muster_command_answers_total', { outcome: 'silent' })]: '0+1x600',
    },
    labels: { severity: 'warning' },
    summary: 'Servers refuse or ignore 25% of the commands.',
  },
  {
    alert: 'MusterResultsContradict',
    series: both('muster_result_conflicts_open', {}, '0x9 2x600'),
    labels: { severity: 'warning' },
    summary: '2 contradictions between results wait for a decision.',
  },
  {
    alert: 'MusterResultsLate',
    series: {
      [of('muster_results_total', { outcome: 'counted' })]: '0+3x600',
      [of('muster_results_total', { outcome: 'withdrawn' })]: '0+1x600',
    },
    labels: { severity: 'warning' },
    summary: '25% of the results came after their match was given up.',
  },
  {
    alert: 'MusterPoolMiscalibrated',
    series: {
      ...both('muster_pool_calibration_scale', { pool }, '0.3x600'),
      ...both('muster_pool_log_loss', { pool }, '0.69x600'),
      ...both('muster_pool_log_loss_matches', { pool }, '2000x600'),
    },
    labels: { severity: 'warning', pool },
    summary: 'Pool ranked predicts matches badly: 300m.',
    at: 61,
  },
  {
    alert: 'MusterJobsLate',
    series: both('muster_oldest_job_seconds', { job_queue: 'rate-match' }, '0x9 61x600'),
    labels: { severity: 'critical', job_queue: 'rate-match' },
    summary: 'A job of rate-match has waited for 1m 1s.',
  },
  {
    alert: 'MusterDeadLetters',
    series: both('muster_dead_letters', { job_queue: 'rate-match' }, '2x15 5x600'),
    labels: { severity: 'warning', job_queue: 'rate-match' },
    summary: '3 new dead letters in rate-match.',
  },
  {
    alert: 'MusterOutboxLate',
    series: both('muster_outbox_lag_seconds', { owner: 'rating' }, '31x600'),
    labels: { severity: 'critical', owner: 'rating' },
    summary: 'Jobs of rating have waited in the outbox for 31s.',
  },
  {
    alert: 'MusterLoopsStopped',
    series: {
      [of('muster_loop_idle_seconds', { loop: 'matcher' })]: '1x9 400x600',
      [of('muster_loop_due_seconds', { loop: 'matcher' })]: '301x600',
    },
    labels: { severity: 'critical', instance: 'a' },
    summary: '1 background loops of a stand still or fail.',
  },
  {
    alert: 'MusterInvariantBroken',
    series: both('muster_invariant_violations', { invariant: 'heldPlayerOfEndedMatch' }, '0x9 4x600'),
    labels: { severity: 'critical', invariant: 'heldPlayerOfEndedMatch' },
    summary: '4 rows violate heldPlayerOfEndedMatch.',
  },
  {
    alert: 'MusterEventsLate',
    series: both('muster_event_lag_seconds', {}, '0x9 90x600'),
    labels: { severity: 'warning' },
    summary: 'Events reach their readers 1m 30s late.',
  },
  {
    alert: 'MusterWebhookLate',
    series: both('muster_webhook_lag_seconds', { webhook: 'chat' }, '0x9 3660x600'),
    labels: { severity: 'warning', webhook: 'chat' },
    summary: 'Webhook chat has not taken an event for 1h 1m 0s.',
  },
  {
    alert: 'MusterCallsBetweenServicesFail',
    series: {
      [of('muster_grpc_calls_total', { method: 'RatingService.Levels', outcome: 'unavailable' })]: '1+3x600',
    },
    labels: { severity: 'critical', method: 'RatingService.Levels' },
    summary: '75% of the calls of RatingService.Levels fail.',
  },
  {
    alert: 'MusterDatabaseWaits',
    series: { [of('muster_database_waiting', {})]: '0x9 6x600' },
    labels: { severity: 'warning', job: 'muster', instance: 'a' },
    summary: '6 statements of a wait for a connection to Postgres.',
  },
  {
    alert: 'MusterEventLoopLate',
    series: { [of('nodejs_eventloop_lag_p99_seconds', {})]: '2x600' },
    labels: { severity: 'warning', job: 'muster', instance: 'a' },
    summary: 'The event loop of a is 2s late.',
  },
  {
    alert: 'MusterFilesScarce',
    series: { [of('process_open_fds', {})]: '900x600' },
    labels: { severity: 'warning', job: 'muster', instance: 'a' },
    summary: 'a has 90% of the files and connections open that it may.',
  },
  {
    alert: 'MusterTooBusy',
    series: { [of('muster_problems_total', { problem: 'too-busy' })]: '0+20x600' },
    labels: { severity: 'critical', problem: 'too-busy' },
    summary: '100 calls were refused as too-busy within five minutes.',
  },
  {
    alert: 'MusterSourceAway',
    series: { [of('muster_source_up', { source: 'jobs' })]: '1x9 0x600' },
    labels: { severity: 'critical', source: 'jobs' },
    summary: 'A replica cannot read its figures from jobs.',
  },
  {
    alert: 'MusterReplicaAway',
    series: {
      [of('up', {}, 'b')]: '1x9 0x600',
      ...Object.fromEntries(
        services.map((name) => [of('muster_open_calls', { muster_service: name }, 'b'), '3x9 _x600']),
      ),
    },
    labels: { severity: 'warning', job: 'muster', instance: 'b' },
    summary: 'b does not answer.',
  },
  {
    alert: 'MusterNotScraped',
    series: both('muster_open_calls', { muster_service: 'rating' }, '_x600'),
    labels: { severity: 'critical', muster_service: 'rating' },
    summary: 'No rating service is scraped.',
  },
];
