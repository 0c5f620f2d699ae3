import { chanceToWin, type SplitAnswer, type SplitProblem } from '@muster/solver';

/**
 * The first team's chance to win in the split that was chosen, or null unless two teams without bots were made equal in
 * it.
 */
export function winProbability(
  { objective, players, bots }: Pick<SplitProblem, 'objective' | 'players' | 'bots'>,
  { solutions, chosen }: Pick<SplitAnswer, 'solutions' | 'chosen'>,
): number | null {
  const [first, second, third] = solutions[chosen]?.sums ?? [];
  if (objective?.kind !== 'win' || bots) return null;
  if (first === undefined || second === undefined || third !== undefined) return null;
  return chanceToWin(first - second, objective, players);
}
