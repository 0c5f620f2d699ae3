import type { Random } from '@muster/domain';
import type { Arrangement } from './arrangement.js';
import { teamsOf } from '../problem/atoms.js';
import { OutOfTime, type Budget } from '../problem/budget.js';
import { climb, sample } from '../two-teams/ladder.js';
import type { SplitProblem } from '../problem/problem.js';
import { placesOf } from '../problem/ratio.js';
import type { Standing } from './standing.js';
import type { Teams } from './team-search.js';
import { twoTeams } from '../two-teams/two-teams.js';

/** Overhead of making two teams a separate problem, in steps. */
const stepsToBegin = 6_000;

/**
 * Splits two teams at a time again, exactly, as long as any pair gets more even. It never increases the difference of the
 * largest and the smallest level: both new levels lie between the old ones.
 *
 * @throws OutOfTime after which `standing` holds the result so far
 */
export function rebalancePairs(arrangement: Arrangement, standing: Standing, budget: Budget): void {
  const { teams, levels } = standing;
  const count = teams.length;
  // When a team changes, its pairs are worth trying again.
  const changed = teams.map(() => 1);
  const tried = new Map<number, number>();
  let turn = 1;
  for (;;) {
    let pair: readonly [number, number] | null = null;
    let widest = 0;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        if ((tried.get(a * count + b) ?? 0) >= Math.max(changed[a]!, changed[b]!)) continue;
        const apart = Math.abs(levels[a]! - levels[b]!);
        if (apart > widest) {
          widest = apart;
          pair = [a, b];
        }
      }
    }
    if (!pair) return;
    if (budget.isOver()) throw new OutOfTime();
    const [a, b] = pair;
    turn++;
    budget.operations += stepsToBegin;
    tried.set(a * count + b, turn);
    const resplit = splitPair(arrangement, teams[a]!, teams[b]!, a, b, budget);
    if (!resplit) continue;
    const [first, second] = resplit.map((team, t) =>
      arrangement.level(t === 0 ? a : b, standing.sumOf(team)),
    );
    if (Math.abs(first! - second!) >= widest) continue;
    standing.set(a, resplit[0], b, resplit[1]);
    changed[a] = turn;
    changed[b] = turn;
  }
}

/** Two teams as a separate problem. */
function splitPair(
  { problem, order, weights }: Arrangement,
  first: readonly number[],
  second: readonly number[],
  a: number,
  b: number,
  budget: Budget,
): [number[], number[]] | null {
  const { players, avoid = [], bots, teamSizes } = problem;
  const members = new Set([...first, ...second]);
  const indices = order.filter((i) => members.has(i));
  const ids = new Set(indices.map((i) => players[i]!.id));
  const pair: SplitProblem = {
    ...problem,
    players: indices.map((i) => players[i]!),
    teamSizes: [teamSizes[a]!, teamSizes[b]!],
    avoid: avoid.filter(([x, y]) => ids.has(x) && ids.has(y)),
    bots: bots && { ...bots, fillTo: 2 * placesOf(bots.fillTo, teamSizes), maxSizeDifference: 0 },
    current: undefined,
  };
  const values = [
    ...indices.map((i) => weights.values[i]!),
    ...(bots ? [weights.values[players.length]!] : []),
  ];
  const two = twoTeams(
    pair,
    indices.map((_, at) => at),
    { ...weights, values: Float64Array.from(values) },
  );
  if ('conflict' in two) return null;
  const best = climb(two, 1, 0, budget).found[0];
  if (!best) return null;
  const [one, other] = teamsOf(two.atoms, best.sides);
  return [one.map((at) => indices[at]!), other.map((at) => indices[at]!)];
}

/** Some players trade places at random: a new start nearby. It may break constraints. */
export function shaken(teams: Teams, exchanges: number, random: Random): number[][] {
  const now = teams.map((team) => [...team]);
  for (let round = 0; round < exchanges; round++) {
    const [a, b] = sample(now.length, 2, random);
    const x = Math.floor(random() * now[a!]!.length);
    const y = Math.floor(random() * now[b!]!.length);
    [now[a!]![x], now[b!]![y]] = [now[b!]![y]!, now[a!]![x]!];
  }
  return now;
}
