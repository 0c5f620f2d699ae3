import { chanceToWin, type SplitAnswer, type SplitProblem } from '@muster/solver';

/** The first team's chance to win in the chosen split, or null unless the objective equalised two teams without bots. */
export function winProbability(
  { objective, players, bots }: Pick<SplitProblem, 'objective' | 'players' | 'bots'>,
  { solutions, chosen }: Pick<SplitAnswer, 'solutions' | 'chosen'>,
): number | null {
  const [first, second, third] = solutions[chosen]?.sums ?? [];
  if (objective?.kind !== 'win' || bots) return null;
  if (first === undefined || second === undefined || third !== undefined) return null;
  return chanceToWin(first - second, objective, players);
}
