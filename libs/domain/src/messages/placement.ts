import type { Message } from './message.js';

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

/** How a match gets a server, and how it, its session and its result end. */
export interface PlacementMessages {
  'placement.none-free': NoServer;
  /** `servers`: those with free slots, of which all are overloaded; at most 100 are counted. */
  'placement.overloaded': NoServer & { servers: number };
  /** `needs`: the mode, the map and the labels that the match needs. */
  'placement.unfit': NoServer & { needs: readonly string[] };
  'placement.by-spread': NearServer;
  'placement.by-pack': NearServer;
  /** `place`: the place of the region in the order of the match, from 1; 0: any region will do. */
  'placement.by-latency': ChosenServer & { place: number };
  'placement.starting': NoServer;
  'placement.none-asked': NoServer;
  'placement.ready': { region: string };
  'placement.refused': { detail: string };
  'placement.server-gone': Record<never, never>;
  'placement.not-answered': Record<never, never>;
  'placement.gave-up': Record<never, never>;

  'match.left-without-server': Record<never, never>;
  'match.left-silent-server': Record<never, never>;
  'match.left-long': Record<never, never>;
  'match.you-finished': Record<never, never>;
  'match.called-off': { detail: string };
  /** To its players; `cause` is a clause. */
  'match.lost': { cause: Message };
  /** In the history of the match. */
  'match.players-returned': { cause: Message };
  'match.ended': { by: string; detail: string };
  'match.rated': Record<never, never>;
  'match.unrated': { detail: string };
  'match.void': { by: string; detail: string };

  'session.restarted': Record<never, never>;
  'session.forgotten': Record<never, never>;
  'session.server-left': Record<never, never>;
  'session.server-silent': Record<never, never>;
  'session.overtime': Record<never, never>;
  'session.not-answered': Record<never, never>;
  'session.answered-late': Record<never, never>;

  'result.counted-before': Record<never, never>;
  /** `cause`: why a late result does not count; null: it is not late. */
  'result.session-not-live': { state: string; cause: Message | null };
  'result.match-state': { state: string };
  'result.too-late': Record<never, never>;
  'result.session-replaced': Record<never, never>;
  'result.players-rated-since': Record<never, never>;
  'result.players-in-match': Record<never, never>;
  'result.other-known': { externalId: string };
}
