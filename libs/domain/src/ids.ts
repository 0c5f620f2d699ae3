/** Makes ids, passed in like time and randomness. */
export interface Ids {
  /** A new id that nobody can guess, such as `tkt_…`. */
  make(prefix: string): string;
  /** The same id for the same text, always. */
  derive(prefix: string, text: string): string;
  /** A fingerprint: equal for equal values, whatever the order of their keys. */
  fingerprint(value: unknown): string;
}
