import type { Match } from '../match.js';

/** Two splits of the same players beside each other. */
export interface Alternative {
  /** Of the rejected split, numbered so that as few players as possible differ. */
  readonly teams: readonly (readonly string[])[];
  readonly sums: readonly number[];
  readonly difference: number;
  /** Players who would have been in another team. */
  readonly moved: ReadonlySet<string>;
}

/** The best rejected split beside the one that was played. @param isFixed teams keep their numbers, as they play sides */
export function alternativeOf(
  { split, players }: Pick<Match, 'split' | 'players'>,
  isFixed = false,
): Alternative | null {
  if (!split?.rejected) return null;
  const { teams, sums, difference } = split.rejected;
  const played = new Map(players.map(({ playerId, team }) => [playerId, team]));
  const order = isFixed ? [...teams.keys()] : orderOf(teams, played);
  const ordered = order.map((i) => teams[i] ?? []);
  const moved = ordered.flatMap((team, t) => team.filter((playerId) => (played.get(playerId) ?? t) !== t));
  return { teams: ordered, sums: order.map((i) => sums[i] ?? 0), difference, moved: new Set(moved) };
}

/** For each played team, which of the others it shares most players with: the largest overlaps first. */
function orderOf(teams: readonly (readonly string[])[], played: ReadonlyMap<string, number>): number[] {
  const overlaps = teams.flatMap((team, i) =>
    [...teams.keys()].map((t) => ({ i, t, shared: team.filter((id) => played.get(id) === t).length })),
  );
  const order: number[] = [];
  const taken = new Set<number>();
  for (const { i, t } of overlaps.toSorted((a, b) => b.shared - a.shared)) {
    if (taken.has(i) || order[t] !== undefined) continue;
    order[t] = i;
    taken.add(i);
  }
  return order;
}
