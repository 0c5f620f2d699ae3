/** What a player may ask for: a copy of everything that is stored of them, or to be erased. */
export const playerRequestKinds = ['export', 'erasure'] as const;
export type PlayerRequestKind = (typeof playerRequestKinds)[number];

/** A player's request. An operator's command carries it out; an erasure deletes the request with everything else. */
export interface PlayerRequest {
  readonly kind: PlayerRequestKind;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** When it was carried out; null: it waits. */
  readonly doneAt: number | null;
}

/** Requests of players about their own data. A player has at most one of a kind. */
export interface PlayerRequestStore {
  of(playerId: string): Promise<readonly PlayerRequest[]>;
  /** Asks; a request that waits, or was done a short while ago, stays as it is. */
  ask(playerId: string, kind: PlayerRequestKind, now: number): Promise<void>;
  /** Withdraws a request that waits. Idempotent. */
  withdraw(playerId: string, kind: PlayerRequestKind): Promise<void>;
}
