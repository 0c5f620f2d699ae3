import type { CrossPlayRules, Ticket } from '@muster/domain';

/** The facts of a ticket that cross-play rules use. */
export interface PlatformFacts {
  /** Platforms of its players, each once, in rising order; empty text for a player without one. */
  readonly platforms: readonly string[];
  /** The platform that all its matches are confined to; null when it plays across platforms. */
  readonly only: string | null;
}

/** The facts of a ticket that cross-play rules use. */
export function platformFactsOf({
  players,
  crossPlay,
}: Pick<Ticket, 'players' | 'crossPlay'>): PlatformFacts {
  const platforms = [...new Set(players.map(({ platform = '' }) => platform))].sort();
  // One platform: a ticket with several that asks for its own is refused when it is queued.
  return { platforms, only: crossPlay === false ? platforms.join(' ') : null };
}

/** A canonical text: equivalent rules have the same; empty where no platforms are kept apart. */
export function crossPlayText(rules: CrossPlayRules | undefined): string {
  if (!rules) return '';
  const groups = rules.groups.map((group) => [...group].sort());
  // The order of groups matters only to parties with several platforms.
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
 * The platforms that tickets of these platforms meet: those of their group; with several groups, the first in the rules'
 * order. Null where the rules keep none apart. Platforms that the rules do not take (the ticket is older than the rules)
 * meet only their equals.
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
 * A key for the platforms of a match: tickets with equal keys meet. Empty where the rules keep no platforms apart. It
 * includes the rules themselves, so a match formed under other rules has another key.
 */
export function platformGroup(rules: CrossPlayRules | undefined, platforms: readonly string[]): string {
  const met = platformsMet(rules, platforms);
  return met === null ? '' : `${[...met].sort().join(' ')} ${crossPlayText(rules)}`;
}

/** Whether a match with this `onlyPlatform` may take such a ticket. */
export function agreesOnPlatform(
  { platforms, only }: PlatformFacts,
  onlyPlatform: string | undefined,
): boolean {
  if (onlyPlatform === undefined) return only === null;
  return platforms.length === 1 && platforms[0] === onlyPlatform;
}
