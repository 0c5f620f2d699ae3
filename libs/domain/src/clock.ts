/** The time, passed in so that every decision can be replayed. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** Allowed lead of a caller's clock, in milliseconds. Nothing can have happened at a time beyond that. */
export const mostClockSkewMs = 600_000;

/** A source of numbers in [0, 1), passed in so that every draw can be replayed. */
export type Random = () => number;

/**
 * A small seeded generator (mulberry32): the same seed gives the same draws on every machine.
 *
 * @param seed any integer; only its low 32 bits count
 * @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A 32-bit hash of a text (FNV-1a), to seed a generator from an id. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
