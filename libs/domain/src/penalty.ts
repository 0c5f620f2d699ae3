/**
 * What a player is penalised for: `declined` a match or did not answer, never connected to it (`no-show`), or `left` it for good.
 */
export const penaltyKinds = ['declined', 'no-show', 'left'] as const;
export type PenaltyKind = (typeof penaltyKinds)[number];

/** What a cool-down is reckoned by. */
export interface Offence {
  readonly kind: PenaltyKind;
  /** The queue that it happened in: its rules say how long the cool-down is. */
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

/** A penalty as it was written, with whether an operator took it back. */
export interface RecordedPenalty extends Penalty {
  readonly forgivenAt: number | null;
}

/** Penalties. They are never deleted: one that is forgiven counts no more, and does not come back when its news comes again. */
export interface PenaltyStore {
  /** Writes penalties. The same player is penalised once for a match and kind. */
  add(penalties: readonly Penalty[]): Promise<void>;
  /** Those of some players that are younger than `since` and not forgiven; a player without any is missing. */
  of(playerIds: readonly string[], since: number): Promise<ReadonlyMap<string, readonly Penalty[]>>;
  /** A player's newest, forgiven ones among them. */
  list(playerId: string, limit: number): Promise<RecordedPenalty[]>;
  /** Takes one back; again: changes nothing. @returns false when the player has no such penalty */
  forgive(playerId: string, penaltyId: string, now: number): Promise<boolean>;
}
