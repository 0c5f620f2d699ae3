import type { EntryRules, PlayerClaims } from '@muster/domain';

const dayMs = 86_400_000;

/** One thing that a queue asks for and a player has not. */
export interface EntryGap {
  readonly requirement: keyof EntryRules;
  /** What is asked for; null where it is not a number. */
  readonly needed: number | null;
  /** In words that follow the player's name. */
  readonly words: string;
}

/** What a queue looks at. */
export interface Entrant {
  readonly claims: PlayerClaims;
  /** Matches rated in the queue's pool. */
  readonly matches: number;
}

/**
 * What a player lacks to be let into a queue. A fact that the game's login does not tell is not there: who is to be verified
 * must be said to be.
 *
 * @param now milliseconds since the epoch
 * @returns empty when they may queue
 */
export function entryGaps(
  { verified, minPlayMinutes = 0, minAccountDays = 0, minMatches = 0 }: EntryRules,
  { claims, matches }: Entrant,
  now: number,
): EntryGap[] {
  const { playMinutes = 0, accountCreatedAt = now } = claims;
  const least = (requirement: keyof EntryRules, needed: number, has: number, words: string): EntryGap[] =>
    has >= needed ? [] : [{ requirement, needed, words }];
  return [
    ...(verified && claims.verified !== true
      ? [{ requirement: 'verified' as const, needed: null, words: 'must have a verified account' }]
      : []),
    ...least('minPlayMinutes', minPlayMinutes, playMinutes, `must have played ${minPlayMinutes} minutes`),
    ...least(
      'minAccountDays',
      minAccountDays,
      (now - accountCreatedAt) / dayMs,
      `must have an account that is ${minAccountDays} days old`,
    ),
    ...least('minMatches', minMatches, matches, `must have ${minMatches} rated matches in the queue’s pool`),
  ];
}
