import { heaviestFirst } from './problem/atoms.js';
import { Budget, OutOfTime } from './problem/budget.js';
import { checkOptions, checkPlayers, checkTeams, malformed } from './problem/check.js';
import { closest } from './two-teams/closest.js';
import { Shortlist, valueOf, type Core } from './two-teams/core.js';
import { greedily } from './two-teams/ladder.js';
import { canMeet, meet } from './two-teams/meet.js';
import type {
  RebalanceAnswer,
  RebalanceProblem,
  RebalanceStep,
  SplitOptions,
  SplitRefusal,
} from './problem/problem.js';
import { quantise, type Quantised } from './problem/quantise.js';
import { sumOf } from './problem/solution.js';
import { largestCoded, membersOf, sortedSubsets, subsetsUpTo } from './subsets.js';

/** Most sets of players of one team that are listed. */
const mostSets = 2 ** 21;
const bytesOfSet = 48;
/** Listing sets of this many players is cheap compared with listing all, and is kept when time runs out over those. */
const fewSwaps = 3;

/**
 * The fewest swaps that bring two teams within a tolerance, and the whole front: for each number of swaps the least
 * reachable difference. Meets in the middle with the two teams as halves: players who leave one against players who leave
 * the other. Players who are on no team are placed first, as evenly as possible, in size before weight.
 */
export function rebalance(
  problem: RebalanceProblem,
  options: SplitOptions = {},
): RebalanceAnswer | SplitRefusal {
  const flaw = checkOptions(options) ?? check(problem);
  if (flaw) return flaw;
  const { players, tolerance } = problem;
  const budget = new Budget(options);
  const weights = quantise(players.map((player) => player.weight));
  const placed = placeOthers(problem, weights, budget);
  const pinned = new Set(problem.pinned);
  const free = placed.teams.map((team) => team.filter((i) => !pinned.has(players[i]!.id))) as [
    number[],
    number[],
  ];
  const { steps, exactUpTo: upTo } = frontOf(placed.teams, free, weights, budget);
  const most = Math.min(free[0].length, free[1].length);
  // Equal teams cannot be improved.
  const exactUpTo = steps[steps.length - 1]!.difference === 0 ? most : upTo;
  const front = steps.map((step) => answerOf(step, placed.teams, free, problem, weights));
  const within = front.findIndex((step) => step.difference <= tolerance);
  return {
    outcome: 'rebalanced',
    placed: placed.newcomers.map(({ index, team }) => ({ id: players[index]!.id, team })),
    front,
    chosen: within >= 0 ? within : front.length - 1,
    withinTolerance: within >= 0,
    exact: exactUpTo >= most,
    exactUpTo,
    quantum: weights.quantum,
    operations: budget.operations,
  };
}

function check({ players, current, tolerance, pinned = [] }: RebalanceProblem): SplitRefusal | null {
  const flaw = checkPlayers(players);
  if (flaw) return flaw;
  if (current.length !== 2)
    return malformed(`Two teams are rebalanced; current has ${current.length}.`, 'current');
  if (!(tolerance >= 0))
    return malformed(`tolerance is ${tolerance}; give a number of at least 0.`, 'tolerance');
  const ids = new Set(players.map((player) => player.id));
  const unknownIndex = pinned.findIndex((id) => !ids.has(id));
  if (unknownIndex >= 0)
    return malformed(
      `pinned names ${pinned[unknownIndex]}, who is no player here.`,
      `pinned[${unknownIndex}]`,
    );
  return checkTeams(current, ids);
}

type Pair = readonly [readonly number[], readonly number[]];

interface Placed {
  readonly teams: Pair;
  readonly newcomers: readonly { readonly index: number; readonly team: 0 | 1 }[];
}

/** Puts players who are on no team on the two, with sizes as even as possible, then weights. */
function placeOthers({ players, current }: RebalanceProblem, { values }: Quantised, budget: Budget): Placed {
  const at = new Map(players.map((player, i) => [player.id, i]));
  const teams = current.map((team) => team.map((id) => at.get(id)!)) as [number[], number[]];
  const onTeam = new Set(teams.flat());
  const others = heaviestFirst(players).filter((i) => !onTeam.has(i));
  if (others.length === 0) return { teams, newcomers: [] };
  const ahead = leadOf(teams, values);
  const [a, b] = [teams[0].length, teams[1].length];
  const uneven = (joining: number): number => Math.abs(a + joining - (b + others.length - joining));
  const evenest = Math.min(...Array.from({ length: others.length + 1 }, (_, joining) => uneven(joining)));
  const core: Core = {
    atoms: others.map((i) => ({ gain: values[i]!, here: 1, there: 0 })),
    laneOf: (joining) => (uneven(joining) === evenest ? { target: -ahead, scale: 1 } : null),
    accepts: null,
    mirrored: false,
  };
  const shortlist = new Shortlist(1);
  let most = others.length;
  while (most > 0 && !core.laneOf(most)) most--;
  const first = greedily(core, most);
  try {
    if (canMeet(others.length, budget)) meet(core, shortlist, 0, budget);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  const value = valueOf(core, first);
  if (value !== null) shortlist.offer(value, first);
  const sides = shortlist.items[0]?.sides ?? first;
  const newcomers = others.map((index, i) => ({ index, team: sides[i] ? (0 as const) : (1 as const) }));
  const joined = (team: 0 | 1): number[] => [
    ...teams[team],
    ...newcomers.filter((newcomer) => newcomer.team === team).map((newcomer) => newcomer.index),
  ];
  return { teams: [joined(0), joined(1)], newcomers };
}

/** The first team's sum less the second's, in quanta. */
function leadOf(teams: Pair, values: Float64Array): number {
  const [first, second] = teams.map((team) => team.reduce((sum, i) => sum + values[i]!, 0));
  return first! - second!;
}

interface Step {
  readonly swaps: number;
  readonly difference: number;
  /** Indices of the players who leave, among the free ones of the first and of the second team. */
  readonly leave: readonly [readonly number[], readonly number[]];
}

function frontOf(teams: Pair, free: Pair, { values }: Quantised, budget: Budget): Front {
  const [a, b] = free.map((team) => team.map((i) => values[i]!)) as [number[], number[]];
  const ahead = leadOf(teams, values);
  let most = Math.min(a.length, b.length, largestCoded(a.length), largestCoded(b.length));
  const sets = (): number => subsetsUpTo(a.length, most) + subsetsUpTo(b.length, most);
  while (most > 1 && (sets() > mostSets || !budget.allows(sets() * bytesOfSet))) most--;
  // Single swaps take negligible time under any deadline; then a few, then all.
  let front = stepsOf(a, b, ahead, Math.min(most, 1), new Budget({}));
  try {
    for (const rung of [fewSwaps, most]) {
      // Equal teams cannot be improved.
      if (front.steps[front.steps.length - 1]!.difference === 0) break;
      if (rung > front.exactUpTo && rung <= most) front = stepsOf(a, b, ahead, rung, budget, front);
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  return front;
}

interface Front {
  readonly steps: Step[];
  readonly exactUpTo: number;
}

/**
 * The front up to `most` swaps, or as far as time allows.
 *
 * @param before a front for fewer swaps, to continue from
 * @throws OutOfTime when it got no further than that
 */
function stepsOf(
  a: readonly number[],
  b: readonly number[],
  ahead: number,
  most: number,
  budget: Budget,
  before?: Front,
): Front {
  const going = sortedSubsets(a, most, budget);
  const coming = sortedSubsets(b, most, budget);
  const steps: Step[] = [...(before?.steps ?? [{ swaps: 0, difference: Math.abs(ahead), leave: [[], []] }])];
  let exactUpTo = before?.exactUpTo ?? 0;
  const nearest = new Float64Array([steps[steps.length - 1]!.difference / 2, 0, 0]);
  try {
    for (; exactUpTo < most && nearest[0]! > 0; exactUpTo++) {
      const swaps = exactUpTo + 1;
      const x = going[swaps]!;
      const y = coming[swaps]!;
      // The players who leave the first team must outweigh those who leave the second by half of its lead.
      if (!closest(x.sums, y.sums, ahead / 2, nearest, budget)) continue;
      steps.push({
        swaps,
        difference: 2 * nearest[0]!,
        leave: [membersOf(x.codes[nearest[1]!]!, a.length), membersOf(y.codes[nearest[2]!]!, b.length)],
      });
    }
  } catch (error) {
    if (!(error instanceof OutOfTime) || exactUpTo === (before?.exactUpTo ?? 0)) throw error;
    return { steps, exactUpTo };
  }
  return { steps, exactUpTo: most };
}

function answerOf(
  { swaps, difference, leave }: Step,
  teams: Pair,
  free: Pair,
  { players }: RebalanceProblem,
  weights: Quantised,
): RebalanceStep {
  const going = leave.map((places, t) => places.map((at) => free[t]![at]!)) as [number[], number[]];
  const sums = ([0, 1] as const).map((t) => {
    const stay = teams[t].filter((i) => !going[t].includes(i));
    return sumOf([...stay, ...going[t === 0 ? 1 : 0]], players, weights);
  }) as [number, number];
  return {
    swaps,
    toSecond: going[0].map((i) => players[i]!.id),
    toFirst: going[1].map((i) => players[i]!.id),
    sums,
    difference: weights.quantum > 0 ? Math.abs(sums[0] - sums[1]) : weights.weight(difference),
  };
}
