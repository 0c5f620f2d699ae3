import type { SplitAnswer } from '@muster/solver';

/** Why these teams, in words for people. */
export function explainSplit(
  { best, runnerUp, considered }: SplitAnswer,
  prediction: readonly number[],
): string[] {
  const sums = best.sums.map((sum) => sum.toFixed(1)).join(' to ');
  const why = [
    `Of ${considered} ${considered === 1 ? 'way' : 'ways'} to split them with parties kept together, these teams are the most even: ` +
      `${sums} rating points, a difference of ${best.difference.toFixed(2)}. All ways were compared, so none is better.`,
  ];
  if (runnerUp) why.push(`The next best split differed by ${runnerUp.difference.toFixed(2)}.`);
  const chances = prediction.map((chance, t) => `team ${t + 1} ${(100 * chance).toFixed(0)} %`).join(', ');
  why.push(`Predicted chance to win: ${chances}.`);
  return why;
}
