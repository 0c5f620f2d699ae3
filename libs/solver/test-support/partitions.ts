/**
 * The reference solution of the solver's tests: it examines everything and is written for obvious correctness, not speed.
 * It shares no code with the solver.
 */
import type { SplitPlayer, SplitProblem } from '../src/problem/problem.js';

/** Every choice of `count` of `items`, in the order of their indices. */
export function* choices<T>(items: readonly T[], count: number): Generator<T[]> {
  if (count === 0) {
    yield [];
    return;
  }
  const [first, ...rest] = items;
  if (first === undefined || items.length < count) return;
  for (const chosen of choices(rest, count - 1)) yield [first, ...chosen];
  yield* choices(rest, count);
}

/** Every assignment of `players` to teams of these sizes; teams have names, so a mirrored one is different. */
export function* deals<T>(players: readonly T[], sizes: readonly number[]): Generator<T[][]> {
  const [size, ...rest] = sizes;
  if (size === undefined) {
    if (players.length === 0) yield [];
    return;
  }
  for (const team of choices(players, size)) {
    const others = players.filter((player) => !team.includes(player));
    for (const teams of deals(others, rest)) yield [team, ...teams];
  }
}

/** The same for teams without names: assignments that differ only in the order of teams have the same name. */
export function partitionName(teams: readonly (readonly string[])[]): string {
  return teams
    .map((team) => JSON.stringify(team.toSorted()))
    .toSorted()
    .join(' ');
}

export function sumOf(team: readonly { readonly weight: number }[]): number {
  return team.reduce((sum, player) => sum + player.weight, 0);
}

export function spreadOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

export function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}

/** The numbers of each role that a team can field: every assignment of one playable role to each player who has any. */
function castings(team: readonly SplitPlayer[], roles: readonly string[]): number[][] {
  let reached = new Map<string, number[]>([['', roles.map(() => 0)]]);
  for (const { canPlay = [] } of team) {
    const able = roles.flatMap((role, r) => (canPlay.includes(role) ? [r] : []));
    if (able.length === 0) continue;
    const next = new Map<string, number[]>();
    for (const counts of reached.values()) {
      for (const r of able) {
        const more = counts.map((count, i) => count + Number(i === r));
        next.set(more.join(), more);
      }
    }
    reached = next;
  }
  return [...reached.values()];
}

function rolesAreFilled(team: readonly SplitPlayer[], roles: NonNullable<SplitProblem['roles']>): boolean {
  const names = Object.keys(roles);
  return castings(team, names).some((counts) =>
    counts.every((count, r) => {
      const { min = 0, max = Infinity } = roles[names[r] ?? ''] ?? {};
      return count >= min && count <= max;
    }),
  );
}

/** Whether an assignment satisfies parties, avoided pairs and roles. */
export function isAllowed(
  teams: readonly (readonly SplitPlayer[])[],
  { avoid = [], roles = {} }: SplitProblem,
): boolean {
  const teamOf = new Map(teams.flatMap((team, t) => team.map(({ id }) => [id, t] as const)));
  const players = teams.flat();
  const partiesWhole = players.every((a) =>
    players.every(
      (b) => a.party === undefined || a.party !== b.party || teamOf.get(a.id) === teamOf.get(b.id),
    ),
  );
  const apart = avoid.every(([a, b]) => teamOf.get(a) !== teamOf.get(b));
  return partiesWhole && apart && teams.every((team) => rolesAreFilled(team, roles));
}

/** The possible numbers of humans on teams; no team is of bots alone. */
export function sizesAllowed({ players, teamSizes, bots }: SplitProblem): number[][] {
  if (!bots || bots.maxSizeDifference === 0) return [[...teamSizes]];
  const all: number[][] = [];
  const extend = (sizes: number[], left: number): void => {
    if (sizes.length === teamSizes.length) {
      if (left === 0 && spreadOf(sizes) <= bots.maxSizeDifference) all.push(sizes);
      return;
    }
    for (let size = 1; size <= left; size++) extend([...sizes, size], left - size);
  };
  extend([], players.length);
  return all;
}

/** Bots by team: every team has as many places as the largest needs, and at least its share of the total. */
export function botsFor(sizes: readonly number[], { bots }: SplitProblem): number[] {
  if (!bots) return sizes.map(() => 0);
  const places = Math.max(Math.ceil(bots.fillTo / sizes.length), ...sizes);
  return sizes.map((size) => places - size);
}

/** The chance that a standard normal variable is below z, by Simpson's rule; good to about 1e-12. */
export function normalBelow(z: number): number {
  const steps = 4_000;
  // Beyond nine deviations nothing is left that a double would show.
  const width = Math.max(-9, Math.min(9, z)) / steps;
  const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let area = 0;
  for (let i = 0; i < steps; i++) {
    const x = i * width;
    area += (width / 6) * (density(x) + 4 * density(x + width / 2) + density(x + width));
  }
  return 0.5 + area;
}

/** The objective, and the tie-breakers. */
export function worth(teams: readonly (readonly SplitPlayer[])[], problem: SplitProblem): number {
  const { bots, objective = { kind: 'sum' } } = problem;
  const sums = teams.map(sumOf);
  if (bots) {
    const added = botsFor(
      teams.map((team) => team.length),
      problem,
    );
    const full = sums.map((sum, t) => sum + bots.weight * (added[t] ?? 0));
    return 1 - Math.min(...full) / Math.max(...full);
  }
  if (objective.kind === 'mean') return spreadOf(teams.map((team) => sumOf(team) / team.length));
  if (objective.kind === 'win') {
    const variance = teams
      .flat()
      .reduce((sum, { id }) => sum + objective.beta ** 2 + (objective.sigmas[id] ?? 0) ** 2, 0);
    const z = ((sums[0] ?? 0) - (sums[1] ?? 0)) / Math.sqrt(variance);
    return Math.abs(2 * normalBelow(z) - 1);
  }
  return spreadOf(sums);
}

export interface Deal {
  readonly name: string;
  readonly teams: readonly (readonly string[])[];
  readonly value: number;
  readonly variance: number;
}

/** Every split that satisfies every constraint, once, the best first. */
export function everySplit(problem: SplitProblem): Deal[] {
  const found = new Map<string, Deal>();
  for (const sizes of sizesAllowed(problem)) {
    for (const teams of deals(problem.players, sizes)) {
      if (!isAllowed(teams, problem)) continue;
      const ids = teams.map((team) => team.map(({ id }) => id));
      const name = partitionName(ids);
      if (found.has(name)) continue;
      found.set(name, {
        name,
        teams: ids,
        value: worth(teams, problem),
        variance: varianceOf(teams.map(sumOf)),
      });
    }
  }
  return [...found.values()].toSorted((a, b) => a.value - b.value || a.variance - b.variance);
}
