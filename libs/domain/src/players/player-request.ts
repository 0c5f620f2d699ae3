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
