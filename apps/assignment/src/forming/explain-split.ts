import type { SplitAnswer, SplitSolution } from '@muster/solver';

/** What tells a sentence with ratings in it from one that players may read: see `forPlayers`. */
const unit = 'rating points';

/** The sentences of a match’s why that give nobody’s rating away. */
export function forPlayers(why: readonly string[]): string[] {
  return why.filter((sentence) => !sentence.includes(unit));
}

/**
 * Why these teams, in words for people.
 *
 * @param answer with the best split first and the best of the others second
 * @param prediction the chance of each team to win
 */
export function explainSplit(answer: SplitAnswer, prediction: readonly number[]): string[] {
  const [best, rejected] = answer.solutions;
  const chances = prediction.map((chance, t) => `team ${t + 1} ${(100 * chance).toFixed(0)} %`);
  return [
    ...waysIn(answer),
    ...(best ? judgement(best, answer) : []),
    `Found by ${answer.method}: ${answer.because}.`,
    ...(rejected
      ? [`${others(answer)} differs by ${points(rejected.difference)} rating points: ${sums(rejected)}.`]
      : []),
    `Predicted chance to win: ${chances.join(', ')}.`,
    ...(best?.bots.some((bots) => bots > 0) ? ['That is of the players alone: bots are not counted.'] : []),
  ];
}

/**
 * Who fills the places of the teams that are not anybody's: roles and bots, in words for players.
 *
 * @param roles by player, of those who fill one
 * @param bots by team
 */
export function explainPlaces(
  teams: readonly (readonly string[])[],
  roles: ReadonlyMap<string, string>,
  bots: readonly number[],
): string[] {
  const played = teams.flatMap((team, t) => {
    const said = team.flatMap((playerId) => {
      const role = roles.get(playerId);
      return role === undefined ? [] : [`${playerId} plays ${role}`];
    });
    return said.length === 0 ? [] : [`Team ${t + 1}: ${said.join(', ')}.`];
  });
  const filled = bots.flatMap((count, t) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'bot' : 'bots'} on team ${t + 1}`],
  );
  return [...played, ...(filled.length === 0 ? [] : [`Empty places are filled: ${filled.join(', ')}.`])];
}

function waysIn({ ways }: SplitAnswer): string[] {
  if (ways === null) return [];
  const count = Number.isSafeInteger(ways) ? ways.toLocaleString('en') : `about ${ways.toPrecision(2)}`;
  return [
    ways === 1
      ? 'There was one way to split them with parties kept together.'
      : `There were ${count} ways to split them with parties kept together.`,
  ];
}

/** How even the teams are known to be, and apart from it the numbers, which are not for players. */
function judgement(best: SplitSolution, { certificate }: SplitAnswer): string[] {
  const teams = `Their sums are ${sums(best)} rating points, a difference of ${points(best.difference)}`;
  if (certificate.status === 'proven') return ['These teams are proven to be the most even.', `${teams}.`];
  const { lowerBound, gap, stopped } = certificate;
  return [
    `These teams are the most even that were found; ${stops[stopped ?? 'size']}.`,
    `${teams}. No split can differ by less than ${points(lowerBound)}, so a better one would gain ${points(gap)} at most.`,
  ];
}

const stops = {
  deadline: 'there was no time to look further',
  memory: 'there was no memory to look further',
  size: 'there are too many ways to look through all',
};

function others({ ranked }: SplitAnswer): string {
  return ranked ? 'The best of the others, rejected,' : 'The best other that was found, rejected,';
}

function sums(solution: SplitSolution): string {
  return solution.sums.map((sum) => sum.toFixed(1)).join(' to ');
}

/** Two decimals, or what there is of a smaller number: a difference that is not 0 must not read as 0. */
function points(value: number): string {
  const text = value.toFixed(2);
  return Number(text) === 0 && value !== 0 ? value.toPrecision(1) : text;
}
