import type { MatchAspects } from '@muster/domain';

/** The rules of a queue, as far as matches have aspects by them. */
export interface AspectfulRules {
  readonly teams: number;
  readonly teamSize: number;
  readonly sides?: readonly string[] | undefined;
  readonly roles?: Readonly<Record<string, unknown>> | undefined;
}

/** The aspects of a match by its queue's rules and its map; undefined where it has none. */
export function aspectsOf(rules: AspectfulRules, map: string | null): MatchAspects | undefined {
  const sides = sidesOf(rules) ?? [];
  const roles = Object.keys(rules.roles ?? {});
  if (sides.length === 0 && roles.length === 0 && map === null) return undefined;
  return { teamSize: rules.teamSize, map: map ?? undefined, sides, roles };
}

/** The side of each team, where the rules name them. */
export function sidesOf({ sides, teams }: AspectfulRules): readonly string[] | undefined {
  return sides?.length === teams ? sides : undefined;
}
