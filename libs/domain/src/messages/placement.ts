import { entry, type Nested } from './entry.js';

/** A match without a server. */
interface NoServer {
  build: string;
  /** Any region will do. */
  anywhere: boolean;
  /** Those that are open. */
  regions: readonly string[];
  /** Seconds until the next region opens; null: none will. */
  seconds: number | null;
  /** That region; null: all that are not open, or none will. */
  next: string | null;
}

/** A server that was chosen for a match; `load`: the larger of processor and ticks, in percent. */
interface ChosenServer {
  region: string;
  slots: number;
  used: number;
  load: number | null;
}

/**
 * `latency`: the mean of the tickets' latencies to the region, in milliseconds; null: not all of them measured it, or a
 * release before stored none. `equalMs`: regions that differ by no more are equally near.
 */
interface NearServer extends ChosenServer {
  latency: number | null;
  equalMs: number;
}

const somewhere = '{anywhere, select, true {any region} other {{regions, list, or}}}';
const noServer = `Your teams are made, but no server of build {build} in ${somewhere} has a free slot now`;
const inUse = '{used} of {slots} slots in use{load, select, null {} other {, load {load} %}}';
const opens =
  '{seconds, select, null {} other { {next, select, null {All others open} other {{next} opens}} in {seconds} s.}}';
const near =
  '{latency, select, null {} other {, of regions within {equalMs} ms of the nearest with a free slot}}';
const far = '{latency, select, null {} other { ({latency} ms on average)}}';
const chosen = { region: 'eu-west', slots: 4, used: 1, load: 37 };
const where = { build: '1.4', anywhere: false, regions: ['eu-west', 'us-east'], seconds: 8, next: 'us-west' };

/** How a match gets a server, and how it, its session and its result end. */
export const placement = {
  'placement.none-free': entry<NoServer>(`${noServer}; it is tried again and again.${opens}`, where),
  /** `servers`: those with free slots, of which all are overloaded; at most 100 are counted. */
  'placement.overloaded': entry<NoServer & { servers: number }>(
    `Your teams are made. {servers, plural, one {# server} other {# servers}} of build {build} in ${somewhere} {servers, plural, one {has free slots but is} other {have free slots but are}} overloaded, and no other has a free slot now; it is tried again and again.${opens}`,
    { ...where, servers: 3 },
  ),
  /** `needs`: the mode, the map and the labels that the match needs. */
  'placement.unfit': entry<NoServer & { needs: readonly string[] }>(
    `Your teams are made, but no server of build {build} in ${somewhere} fits the match, which needs {needs, list, and}; it is tried again and again.${opens}`,
    { ...where, needs: ['mode arena', 'map castle', 'hardware fast'] },
  ),
  'placement.by-spread': entry<NearServer>(
    `Policy spread: the server in {region}${far} was the least loaded one with a free slot${near} (${inUse}).`,
    { ...chosen, latency: 24, equalMs: 16 },
  ),
  'placement.by-pack': entry<NearServer>(
    `Policy pack: the server in {region}${far} was the fullest one with a free slot${near} (${inUse}).`,
    { ...chosen, latency: 24, equalMs: 16 },
  ),
  /** `place`: the place of the region in the order of the match, from 1; 0: any region will do. */
  'placement.by-latency': entry<ChosenServer & { place: number }>(
    `Policy latency-first: {place, plural, =0 {no region is better for the players than {region}} =1 {{region} is the best region for the players} other {{region} is number # of the regions for the players, and the better ones had no server for it}}; the server was the least loaded one there (${inUse}).`,
    { ...chosen, place: 1 },
  ),
  'placement.starting': entry<NoServer>(`${noServer}; a server is being started.${opens}`, where),
  'placement.none-asked': entry<NoServer>(
    `${noServer}, and none could be asked for; both are tried again and again.${opens}`,
    where,
  ),
  'placement.ready': entry('Your match is ready in {region}.', { region: 'eu-west' }),
  'placement.refused': entry('A server refused the match ({detail}); the next best is asked.', {
    detail: 'the map is missing',
  }),
  'placement.server-gone': entry('The server that was asked is gone; the next best is asked.'),
  'placement.not-answered': entry('A server did not answer in time; the next best is asked.'),
  'placement.gave-up': entry('No server could be found in time. Nobody is rated; please queue again.'),

  'match.left-without-server': entry('Somebody left the match before it had a server.'),
  'match.left-long': entry('You left a match that lasted longer than expected. There is no penalty.'),
  'match.you-finished': entry('You are finished in the match, which goes on: you may queue again.'),
  'match.left-silent-server': entry('You left the match, whose server is silent. There is no penalty.'),
  'match.ended': entry('The {by} ended the match ({detail}).', {
    by: 'operator',
    detail: 'its server hangs',
  }),
  'match.called-off': entry('The server called the match off ({detail}).', {
    detail: 'the map did not load',
  }),
  /** To its players; `cause` is a clause. */
  'match.lost': entry('The match was lost: {cause}.', {
    cause: { code: 'session.server-silent', params: {} },
  }),
  /** In the history of the match. */
  'match.players-returned': entry('{cause}; its players returned to the queue', {
    cause: { code: 'session.server-silent', params: {} },
  }),
  'match.rated': entry('The match is over and rated; you may queue again.'),
  'match.unrated': entry('The match is over, but could not be rated: {detail}', {
    detail: 'The model takes two teams.',
  }),
  'match.void': entry('Declared void by {by}: {detail}', { by: 'olga', detail: 'an unfair map' }),

  'session.restarted': entry('its server was started anew without this session'),
  'session.forgotten': entry('its server does not know the session any more'),
  'session.server-left': entry('its server left'),
  'session.server-silent': entry('its server fell silent'),
  'session.overtime': entry('the match went on beyond its time limit without a result'),
  'session.not-answered': entry('no answer in time'),
  'session.answered-late': entry('your answer came too late'),

  'result.counted-before': entry('another result of this session was counted'),
  /** `cause`: why a late result does not count; null: it is not late. */
  'result.session-not-live': entry<{ state: string; cause: Nested | null }>(
    'the session is {state}{cause, select, null {} other {: {cause}}}',
    { state: 'lost', cause: { code: 'result.too-late', params: {} } },
  ),
  'result.match-state': entry('the match is {state}', { state: 'rated' }),
  'result.too-late': entry('it came later than the rules of its queue allow'),
  'result.session-replaced': entry('another session has the match'),
  'result.other-known': entry('another result is known for {externalId}', { externalId: 'cup-17' }),
  'result.players-rated-since': entry('players of the match were rated since'),
  'result.players-in-match': entry('players of the match are in another one by now'),
};
