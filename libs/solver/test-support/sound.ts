import type {
  PoolAnswer,
  PoolProblem,
  RebalanceAnswer,
  RebalanceProblem,
  SplitAnswer,
  SplitOptions,
  SplitProblem,
  SplitSolution,
} from '../src/problem/problem.js';
import { botsFor, isAllowed, partitionName, sizesAllowed, spreadOf, sumOf, worth } from './partitions.js';

interface Weighed {
  readonly id: string;
  readonly weight: number;
}

/** The sum of all absolute weights: the measure of rounding errors. */
export function magnitudeOf(players: readonly { readonly weight: number }[]): number {
  return players.reduce((sum, { weight }) => sum + Math.abs(weight), 0);
}

/**
 * The possible distance of an answer's value from the truth: half a quantum per weight and more, plus the error of adding
 * doubles.
 */
export function slackOf(problem: SplitProblem, quantum: number): number {
  const { players, bots, objective } = problem;
  const scale = magnitudeOf(players);
  const rounding = quantum * (players.length + (bots?.fillTo ?? 0));
  if (bots) return 4e-9 + (2 * rounding) / Math.max(scale / 2, Number.MIN_VALUE);
  if (objective?.kind === 'win') {
    const variance = players.reduce(
      (sum, { id }) => sum + objective.beta ** 2 + (objective.sigmas[id] ?? 0) ** 2,
      0,
    );
    return 1e-9 + (rounding + 1e-12 * scale) / Math.sqrt(variance);
  }
  return rounding + 1e-12 * scale;
}

function near(a: number, b: number, slack: number): boolean {
  return a === b || Math.abs(a - b) <= slack;
}

/** A team's recomputed sum equals the answer's, up to the ninth digit of its own weights. */
function sumIsOff(team: readonly Weighed[], stated: number | undefined): boolean {
  return stated === undefined || !near(sumOf(team), stated, 1e-9 * magnitudeOf(team));
}

/** Everything that is wrong with an answer, as text; empty when it is sound. Optimality is checked elsewhere. */
export function faultsOf(
  problem: SplitProblem,
  answer: SplitAnswer,
  { best = 1 }: SplitOptions = {},
): string[] {
  const { solutions, certificate, chosen } = answer;
  const [first] = solutions;
  if (!first) return ['no solution'];
  const slack = slackOf(problem, certificate.quantum);
  const names = solutions.map(({ teams }) => partitionName(teams));
  const values = solutions.map((solution) => valueOf(problem, answer, solution));
  const faults = [
    ...solutions.flatMap((solution, i) =>
      solutionFaults(problem, answer, solution).map((fault) => `${i}: ${fault}`),
    ),
    ...certificateFaults(answer, slack),
    ...shiftFaults(problem, answer),
  ];
  if (solutions.length > best) faults.push(`${solutions.length} solutions where ${best} were asked for`);
  if (new Set(names).size !== names.length) faults.push('solutions are not distinct as partitions');
  if (!(Number.isInteger(chosen) && chosen >= 0 && chosen < solutions.length))
    faults.push(`chosen ${chosen}`);
  if (!(answer.operations >= 0)) faults.push(`operations ${answer.operations}`);
  if (!answer.because) faults.push('because is empty');
  if (problem.second) return faults;
  if (!near(values[0] ?? NaN, certificate.value, slack)) {
    faults.push(`value ${certificate.value} but the first solution is worth ${values[0]}`);
  }
  values.forEach((value, i) => {
    if (value < (values[i - 1] ?? -Infinity) - 2 * slack) faults.push(`solution ${i} is out of order`);
  });
  return faults;
}

/** The objective value of a sound solution; ratios by the sums it states, since weights may have been shifted. */
function valueOf(problem: SplitProblem, answer: SplitAnswer, solution: SplitSolution): number {
  if (problem.bots) return 1 - solution.ratio;
  if (problem.objective?.kind === 'win' && problem.teamSizes.length !== 2) return answer.certificate.value;
  const byId = new Map(problem.players.map((player) => [player.id, player]));
  return worth(
    solution.teams.map((team) => team.flatMap((id) => byId.get(id) ?? [])),
    problem,
  );
}

function solutionFaults(problem: SplitProblem, answer: SplitAnswer, solution: SplitSolution): string[] {
  const { players, teamSizes, bots } = problem;
  const faults: string[] = [];
  const ids = solution.teams.flat();
  if (JSON.stringify(ids.toSorted()) !== JSON.stringify(players.map(({ id }) => id).toSorted())) {
    return [`players are ${ids.join()}`];
  }
  if (solution.bench.length > 0) faults.push(`bench ${solution.bench.join()}`);
  const byId = new Map(players.map((player) => [player.id, player]));
  const teams = solution.teams.map((team) => team.flatMap((id) => byId.get(id) ?? []));
  const sizes = teams.map((team) => team.length);
  const sizesFit =
    bots && bots.maxSizeDifference > 0
      ? sizes.length === teamSizes.length && spreadOf(sizes) <= bots.maxSizeDifference
      : sizes.join() === teamSizes.join();
  if (!sizesFit) faults.push(`sizes ${sizes.join()}`);
  const expectedBots = botsFor(sizes, problem);
  if (solution.bots.join() !== expectedBots.join()) {
    faults.push(`bots ${solution.bots.join()}, not ${expectedBots.join()}`);
  }
  if (!isAllowed(teams, problem)) faults.push('a constraint is broken');
  teams.forEach((team, t) => {
    const added = Array.from({ length: expectedBots[t] ?? 0 }, () => ({ id: '', weight: bots?.weight ?? 0 }));
    if (sumIsOff([...team, ...added], solution.sums[t])) {
      faults.push(`sum ${solution.sums[t]} of team ${t}, not ${sumOf([...team, ...added])}`);
    }
  });
  const scale = magnitudeOf(players);
  if (!near(solution.difference, spreadOf(solution.sums), 1e-9 * solution.difference + 1e-14 * scale)) {
    faults.push(`difference ${solution.difference} of sums ${solution.sums.join()}`);
  }
  const raised = solution.sums.map(
    (sum, t) => sum + answer.shift * ((sizes[t] ?? 0) + (expectedBots[t] ?? 0)),
  );
  if (!(Math.min(...raised) > 0))
    faults.push(`a sum of ${solution.sums.join()} is not positive and not shifted`);
  const ratio = Math.min(...raised) / Math.max(...raised);
  if (!near(solution.ratio, ratio, 1e-9)) {
    faults.push(`ratio ${solution.ratio}, not ${ratio} with shift ${answer.shift}`);
  }
  return faults;
}

/**
 * Whether weights are raised only where some team of an allowed size could have a sum of at most zero, and by the amount
 * that lets the lightest weigh a tenth of the range.
 */
function shiftFaults(problem: SplitProblem, { shift, certificate }: SplitAnswer): string[] {
  const { players, bots } = problem;
  const ascending = players.map(({ weight }) => weight).toSorted((a, b) => a - b);
  const sums = sizesAllowed(problem).flatMap((sizes) => {
    const added = botsFor(sizes, problem);
    return sizes.map((size, t) => {
      const lightest = ascending.slice(0, size).reduce((sum, weight) => sum + weight, 0);
      return lightest + (bots?.weight ?? 0) * (added[t] ?? 0);
    });
  });
  const least = Math.min(...sums);
  const weights = bots ? [...ascending, bots.weight] : ascending;
  const lightest = Math.min(...weights);
  const wanted = spreadOf(weights) / 10 - lightest;
  const places = players.length + (bots?.fillTo ?? 0);
  const adding = 1e-12 * (magnitudeOf(players) + Math.abs(bots?.weight ?? 0) * places);
  const rounding = 3 * certificate.quantum * places + adding;
  // Where all weigh the same, any positive weight will do.
  const isRaised =
    spreadOf(weights) === 0 ? lightest + shift > 0 : near(shift, wanted, 2 * certificate.quantum + adding);
  if (least > rounding) return shift === 0 ? [] : [`shift ${shift}, though no sum can be below ${least}`];
  // In between, rounding cannot distinguish it from zero.
  const mustBeRaised = least === 0 || least < -rounding;
  return isRaised || (shift === 0 && !mustBeRaised)
    ? []
    : [`shift ${shift}, not ${wanted}, though a sum can be ${least}`];
}

function certificateFaults({ certificate }: Pick<SplitAnswer, 'certificate'>, slack: number): string[] {
  const { status, value, lowerBound, gap, quantum, stopped } = certificate;
  const faults: string[] = [];
  if (![value, lowerBound, gap, quantum].every((number) => Number.isFinite(number) && number >= 0)) {
    faults.push(`certificate ${JSON.stringify(certificate)}`);
  }
  if (lowerBound > value + slack) faults.push(`lower bound ${lowerBound} above the value ${value}`);
  if (!near(gap, value - lowerBound, slack)) faults.push(`gap ${gap} of ${lowerBound} to ${value}`);
  if (status === 'proven' && gap > slack) faults.push(`proven with a gap of ${gap}`);
  if (status === 'proven' && stopped) faults.push(`proven though stopped by ${stopped}`);
  if (status === 'bounded' && !stopped) faults.push('bounded without a reason');
  return faults;
}

/** What is wrong with the splits of a pool. */
export function poolFaultsOf({ players, bench }: PoolProblem, { splits }: PoolAnswer): string[] {
  const byId = new Map(players.map((player) => [player.id, player]));
  const sizes = Array.from({ length: Math.max(0, Math.floor(players.length / 2) - 1) }, (_, i) => i + 2);
  const heaviest = Math.max(...players.map(({ weight }) => weight));
  const longest = players.toSorted((a, b) => (b.waited ?? 0) - (a.waited ?? 0)).map(({ id }) => id);
  const faults: string[] = [];
  if (splits.map(({ size }) => size).join() !== sizes.join()) {
    faults.push(`sizes ${splits.map(({ size }) => size).join()}, not ${sizes.join()}`);
  }
  for (const split of splits) {
    const tell = (fault: string): number => faults.push(`size ${split.size}: ${fault}`);
    const playing = split.teams.flat();
    const everyone = [...playing, ...split.bench].toSorted();
    if (JSON.stringify(everyone) !== JSON.stringify([...byId.keys()].toSorted())) {
      tell(`players are ${everyone.join()}`);
      continue;
    }
    if (split.teams.some((team) => team.length !== split.size)) tell('teams are not of their size');
    split.teams.forEach((team, t) => {
      const members = team.flatMap((id) => byId.get(id) ?? []);
      if (sumIsOff(members, split.sums[t])) tell(`sum ${split.sums[t]}, not ${sumOf(members)}`);
    });
    const scale = magnitudeOf(playing.flatMap((id) => byId.get(id) ?? []));
    if (!near(split.difference, spreadOf(split.sums), 1e-9 * split.difference + 1e-14 * scale)) {
      tell(`difference ${split.difference} of ${split.sums.join()}`);
    }
    const slack = slackOf({ players, teamSizes: [] }, split.certificate.quantum);
    if (!near(split.certificate.value, split.difference, slack)) {
      tell(`value ${split.certificate.value} of a difference of ${split.difference}`);
    }
    if (bench === 'top-plays' && !playing.some((id) => byId.get(id)?.weight === heaviest)) {
      tell('the heaviest sits out');
    }
    if (
      bench === 'longest-waiting' &&
      playing.toSorted().join() !==
        longest
          .slice(0, 2 * split.size)
          .toSorted()
          .join()
    ) {
      tell('those who play are not those who waited longest');
    }
    faults.push(...certificateFaults(split, slack).map((fault) => `size ${split.size}: ${fault}`));
  }
  return faults;
}

/** The two teams after placing players on neither; null when the answer does not place each of them once. */
export function placedTeams(
  { players, current }: RebalanceProblem,
  { placed }: RebalanceAnswer,
): [Weighed[], Weighed[]] | null {
  const byId = new Map(players.map((player) => [player.id, player]));
  const ids = [0, 1].map((t) => [
    ...(current[t] ?? []),
    ...placed.filter(({ team }) => team === t).map(({ id }) => id),
  ]);
  if (ids.flat().toSorted().join() !== [...byId.keys()].toSorted().join()) return null;
  const [first = [], second = []] = ids.map((team) => team.flatMap((id) => byId.get(id) ?? []));
  return [first, second];
}

/** What is wrong with a front of swaps. */
export function rebalanceFaultsOf(problem: RebalanceProblem, answer: RebalanceAnswer): string[] {
  const { front, chosen, withinTolerance, exact, exactUpTo, quantum } = answer;
  const teams = placedTeams(problem, answer);
  if (!teams) return [`placed ${JSON.stringify(answer.placed)}`];
  const faults: string[] = [];
  const scale = magnitudeOf(problem.players);
  const rounding = quantum * problem.players.length + 1e-12 * scale;
  front.forEach((step, i) => {
    const tell = (fault: string): number => faults.push(`${step.swaps} swaps: ${fault}`);
    const before = front[i - 1];
    if (before && !(step.swaps > before.swaps)) tell('not more than before');
    if (before && !(step.difference < before.difference + rounding)) tell('no better than fewer');
    if (step.toSecond.length !== step.swaps || step.toFirst.length !== step.swaps)
      tell('not as many each way');
    if (new Set([...step.toSecond, ...step.toFirst]).size !== 2 * step.swaps) tell('somebody goes twice');
    const known = [step.toSecond, step.toFirst].every((ids, t) =>
      ids.every((id) => teams[t]?.some((player) => player.id === id)),
    );
    if (!known) tell('somebody is not on the team they leave');
    const after = teams.map((team, t) => [
      ...team.filter(({ id }) => !step.toSecond.includes(id) && !step.toFirst.includes(id)),
      ...(teams[1 - t] ?? []).filter(({ id }) => (t === 0 ? step.toFirst : step.toSecond).includes(id)),
    ]);
    after.forEach((team, t) => {
      if (sumIsOff(team, step.sums[t])) tell(`sum ${step.sums[t]}, not ${sumOf(team)}`);
    });
    if (!near(step.difference, spreadOf(step.sums), 1e-9 * step.difference + 1e-14 * scale)) {
      tell(`difference ${step.difference} of ${step.sums.join()}`);
    }
  });
  if (front[0]?.swaps !== 0) faults.push('the first step is not to swap nobody');
  const within = front.findIndex(({ difference }) => difference <= problem.tolerance);
  if (withinTolerance !== within >= 0) faults.push(`withinTolerance ${withinTolerance}`);
  if (chosen !== (within >= 0 ? within : front.length - 1))
    faults.push(`chosen ${chosen} of ${front.length}`);
  const most = Math.min(...teams.map((team) => team.length));
  if (exact && exactUpTo < most) faults.push(`exact, but only up to ${exactUpTo} of ${most}`);
  return faults;
}
