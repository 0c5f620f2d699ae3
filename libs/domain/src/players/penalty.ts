import type { Explanation } from '../messages/message.js';

/**
 * Kinds of penalised offences: `declined` a match or did not answer, never connected to it (`no-show`), or `left` it for
 * good.
 */
export const penaltyKinds = ['declined', 'no-show', 'left'] as const;
export type PenaltyKind = (typeof penaltyKinds)[number];

/** The facts from which a cool-down is computed. */
export interface Offence {
  readonly kind: PenaltyKind;
  /** The queue of the offence: its rules define the cool-down. */
  readonly queue: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Penalty extends Offence {
  readonly penaltyId: string;
  readonly playerId: string;
  /** The match, or the proposal that would have become it. */
  readonly matchId: string;
}

/** When and why a penalty was lifted: its ground is gone, or an outage is to blame. An operator may impose it all the same. */
export interface Lift {
  readonly at: number;
  readonly why: Explanation;
}

/** A stored penalty, with whether an operator forgave it. */
export interface RecordedPenalty extends Penalty {
  readonly forgivenAt: number | null;
  /** Absent: it is not lifted. */
  readonly lifted?: Lift | undefined;
}

/** Whether a penalty counts for a cool-down: it is neither forgiven nor lifted. */
export function penaltyCounts({
  forgivenAt,
  lifted,
}: Pick<RecordedPenalty, 'forgivenAt' | 'lifted'>): boolean {
  return forgivenAt === null && lifted === undefined;
}

/** Penalties. They are never deleted: a forgiven one no longer counts, and a repeated report does not restore it. */
export interface PenaltyStore {
  /** Writes penalties. A player is penalised once per match and kind. */
  add(penalties: readonly Penalty[]): Promise<void>;
  /** Unforgiven penalties of some players since `since`; players without any are missing. */
  of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>>;
  /** A player's newest penalties, including forgiven ones. */
  list(playerId: string, limit: number): Promise<RecordedPenalty[]>;
  /**
   * Lifts the penalties for some offences, and those that are written for them later. A later offence of the same match counts.
   *
   * @param penalties as they would be written
   */
  lift(penalties: readonly Penalty[], lift: Lift): Promise<void>;
  /** A lifted one counts again; idempotent. @returns false when the player has no such penalty */
  impose(playerId: string, penaltyId: string): Promise<boolean>;
  /** Forgives one; idempotent. @returns false when the player has no such penalty */
  forgive(playerId: string, penaltyId: string, now: number): Promise<boolean>;
}
