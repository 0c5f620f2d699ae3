/** A secret that signs, and until when; null: it is the current one. */
export interface Secret {
  readonly secret: string;
  readonly until: number | null;
}

/** Those of some secrets that sign at a time. */
export function secretsOf(stored: readonly Secret[], now: number): Secret[] {
  return stored.filter(({ until }) => until === null || until > now);
}

/** The secrets after a rotation: the new one, and the one before for a while. */
export function rotated(
  secrets: readonly Secret[],
  secret: string,
  { now, overlapMs }: { readonly now: number; readonly overlapMs: number },
): Secret[] {
  const before = secrets.slice(0, 1).map((each) => ({ ...each, until: now + overlapMs }));
  return [{ secret, until: null }, ...(overlapMs > 0 ? before : [])];
}
