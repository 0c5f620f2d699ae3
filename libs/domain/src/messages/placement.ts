import type { Message } from './message.js';

/** A match without a server; `anywhere`: any region will do. */
interface NoServer {
  build: string;
  anywhere: boolean;
  regions: readonly string[];
}

/** A server that was chosen for a match; `load`: the larger of processor and ticks, in percent. */
interface ChosenServer {
  region: string;
  slots: number;
  used: number;
  load: number | null;
}

/** How a match gets a server, and how it, its session and its result end. */
export interface PlacementMessages {
  'placement.none-free': NoServer;
  /** `servers`: those with free slots, of which all are overloaded; at most 100 are counted. */
  'placement.overloaded': NoServer & { servers: number };
  /** `needs`: the mode, the map and the labels that the match needs. */
  'placement.unfit': NoServer & { needs: readonly string[] };
  'placement.by-spread': ChosenServer;
  'placement.by-pack': ChosenServer;
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
  'result.other-known': { externalId: string };
}
