import { message, type EntryRules, type Message, type PlayerClaims } from '@muster/domain';

const dayMs = 86_400_000;

/** An entry requirement that a player does not meet. */
export type EntryGap =
  | { readonly requirement: 'verified'; readonly needed: null }
  | { readonly requirement: 'entitlements'; readonly needed: string }
  | { readonly requirement: Counted; readonly needed: number };

/** Requirements of which there must be enough. */
type Counted = Exclude<keyof EntryRules, 'verified' | 'entitlements'>;

/** The facts that entry requirements use. */
export interface Entrant {
  readonly claims: PlayerClaims;
  /** Matches rated in the queue's pool. */
  readonly matches: number;
}

/**
 * The entry requirements that a player does not meet. A claim that the game's login does not make counts as absent: a
 * verified account must be claimed.
 *
 * @param now milliseconds since the epoch
 * @returns empty when they may queue
 */
export function entryGaps(
  { verified, minPlayMinutes = 0, minAccountDays = 0, minMatches = 0, entitlements = [] }: EntryRules,
  { claims, matches }: Entrant,
  now: number,
): EntryGap[] {
  const { playMinutes = 0, accountCreatedAt = now, entitlements: owned = [] } = claims;
  const gaps: EntryGap[] = [
    ...(verified && claims.verified !== true ? [{ requirement: 'verified', needed: null } as const] : []),
    ...lacking('minPlayMinutes', minPlayMinutes, playMinutes),
    ...lacking('minAccountDays', minAccountDays, (now - accountCreatedAt) / dayMs),
    ...lacking('minMatches', minMatches, matches),
    ...entitlements
      .filter((each) => !owned.includes(each))
      .map((needed) => ({ requirement: 'entitlements', needed }) as const),
  ];
  return gaps;
}

function lacking(requirement: Counted, needed: number, has: number): EntryGap[] {
  return has >= needed ? [] : [{ requirement, needed }];
}

/** A gap as a message for its player: part of a sentence. @param you the player is addressed directly */
export function gapMessage(gap: EntryGap, playerId: string, you: boolean): Message {
  const who = { you, playerId };
  switch (gap.requirement) {
    case 'verified':
      return message('entry.verified', who);
    case 'minPlayMinutes':
      return message('entry.play-minutes', { ...who, minutes: gap.needed });
    case 'minAccountDays':
      return message('entry.account-days', { ...who, days: gap.needed });
    case 'minMatches':
      return message('entry.matches', { ...who, matches: gap.needed });
    case 'entitlements':
      return message('entry.entitlement', { ...who, entitlement: gap.needed });
  }
}
