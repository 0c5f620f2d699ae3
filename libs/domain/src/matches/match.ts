import type { BoosterInUse } from '../ratings/booster.js';
import type { Message, Explanation } from '../messages/message.js';
import type { SkillBelief } from '../ratings/rating.js';
import type { RegionOpenings } from '../schemas/region-openings.js';
import type { SplitRecord } from '../schemas/split.js';
import type { TicketAttributes } from '../tickets/ticket.js';

/** `formed → placed → ended → rated`, or `abandoned`, `void`. Each transition has one owner. */
export const matchStates = ['formed', 'placed', 'ended', 'rated', 'abandoned', 'void'] as const;
export type MatchState = (typeof matchStates)[number];

/** @throws TypeError when no match can be in such a state */
export function matchStateOf(text: string): MatchState {
  const state = matchStates.find((each) => each === text);
  if (state === undefined) throw new TypeError(`a match is not ${text}`);
  return state;
}

/** A player in a formed match, with their level in the split: their rating, or a newcomer's probe. */
export interface MatchPlayer extends SkillBelief {
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string | null;
  readonly waitedMs: number | null;
  /** The role that the player fills, where the rules demand roles. */
  readonly role?: string | undefined;
  /** The booster with which they play in another division. */
  readonly booster?: BoosterInUse | undefined;
  /** The document of their ticket for the server; with the ticket's leader alone. */
  readonly attributes?: TicketAttributes | undefined;
}

/** A match as assignment stores it. */
export interface FormedMatch {
  readonly matchId: string;
  readonly queue: string;
  readonly pool: string;
  readonly build: string;
  /** Regions where every member was within the rules when they were matched, best first; empty means any. */
  readonly regions: readonly string[];
  /** Where it may be played by time; absent: a release before proposed it. */
  readonly openings?: RegionOpenings | undefined;
  readonly rules: object;
  /** The map to play; null when the queue names none. */
  readonly map: string | null;
  /** Places of each team that bots take. */
  readonly bots: readonly number[];
  readonly split: SplitRecord;
  readonly why: readonly Message[];
  /** The chance of each team to win, adding up to 1. */
  readonly prediction: readonly number[];
  readonly players: readonly MatchPlayer[];
  readonly placementTimeoutSeconds: number;
  readonly proposedAt: number;
  readonly formedAt: number;
  /** The trace of all that follows; absent: it is not traced. */
  readonly trace?: string | undefined;
}

export type FormResult =
  | { readonly outcome: 'formed' }
  /** This proposal was decided before. */
  | { readonly outcome: 'decided'; readonly verdict: 'formed' | 'refused' }
  /** Some players are in another live match. */
  | { readonly outcome: 'busy'; readonly playerIds: readonly string[] };

export interface ProposalVerdict {
  readonly verdict: 'formed' | 'refused';
  readonly reason: Explanation | null;
  readonly failedTicketIds: readonly string[];
}
