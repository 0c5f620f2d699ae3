import type { CrossPlayRules, Ticket } from '@muster/domain';

/** What cross-play rules look at in a ticket. */
export interface PlatformFacts {
  /** Of its players, each once, in rising order; empty text for a player who named none. */
  readonly platforms: readonly string[];
  /** The platform that all its matches are confined to; null when it plays across platforms. */
  readonly only: string | null;
}

/** What cross-play rules look at in a ticket. */
export function platformFactsOf({
  players,
  crossPlay,
}: Pick<Ticket, 'players' | 'crossPlay'>): PlatformFacts {
  const platforms = [...new Set(players.map(({ platform = '' }) => platform))].sort();
  // One platform: a ticket of several that asks for its own is refused when it is queued.
  return { platforms, only: crossPlay === false ? platforms.join(' ') : null };
}

/** Rules that say the same are the same text; empty where no platforms are kept apart. */
export function crossPlayText(rules: CrossPlayRules | undefined): string {
  if (!rules) return '';
  const groups = rules.groups.map((group) => [...group].sort());
  // Which group is first matters only to parties of several.
  return rules.partiesOpenCrossPlay
    ? JSON.stringify([groups, true])
    : JSON.stringify([groups.map((group) => JSON.stringify(group)).sort()]);
}

/** The group of a platform; null when the rules do not take it. */
export function groupOfPlatform(
  rules: CrossPlayRules,
  platform: string | undefined,
): readonly string[] | null {
  return rules.groups.find((group) => platform !== undefined && group.includes(platform)) ?? null;
}

/**
 * The platforms that tickets of these platforms meet: those of one group, of several the first in the rules' order. Null where
 * the rules keep none apart. Platforms that the rules do not take (the ticket came before the rules) meet their like.
 */
export function platformsMet(
  rules: CrossPlayRules | undefined,
  platforms: readonly string[],
): readonly string[] | null {
  if (!rules) return null;
  const groups = platforms.map((platform) => groupOfPlatform(rules, platform));
  const opens = rules.partiesOpenCrossPlay || new Set(groups).size === 1;
  if (!opens || groups.includes(null)) return platforms;
  return rules.groups.find((group) => groups.includes(group)) ?? platforms;
}

/**
 * What a match of these platforms is named by: tickets meet when they are named alike. Empty where the rules keep no platforms
 * apart. It holds the rules themselves, so a match that was made by other rules is named otherwise.
 */
export function platformGroup(rules: CrossPlayRules | undefined, platforms: readonly string[]): string {
  const met = platformsMet(rules, platforms);
  return met === null ? '' : `${[...met].sort().join(' ')} ${crossPlayText(rules)}`;
}

/** Whether a match whose `onlyPlatform` is this may have such a ticket. */
export function agreesOnPlatform(
  { platforms, only }: PlatformFacts,
  onlyPlatform: string | undefined,
): boolean {
  if (onlyPlatform === undefined) return only === null;
  return platforms.length === 1 && platforms[0] === onlyPlatform;
}
