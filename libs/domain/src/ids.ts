/** Creates ids; passed in like time and randomness. */
export interface Ids {
  /** A new unguessable id, such as `tkt_…`. */
  make(prefix: string): string;
  /** A deterministic id: the same for the same text. */
  derive(prefix: string, text: string): string;
  /** A fingerprint: equal for equal values, whatever the order of their keys. */
  fingerprint(value: unknown): string;
}

/** What a signed id says. */
export interface KnownId {
  /** When it was created, milliseconds since the epoch; null for an id that derives from a text. */
  readonly createdAt: number | null;
}
