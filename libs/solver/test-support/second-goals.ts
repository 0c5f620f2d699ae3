/**
 * The reference solution for second goals. It compares without rounding, and decides nothing where the solver's own
 * rounding could.
 */
import type { SecondGoal, SplitPlayer, SplitProblem } from '../src/problem/problem.js';

type Teams = readonly (readonly string[])[];

/** Numbers as decimal literals, without rounding: whole multiples of one power of ten. */
function asWritten(numbers: readonly number[]): bigint[] {
  const parts = numbers.map((number) => {
    const [digits = '', power = '0'] = String(number).split('e');
    const [whole = '', rest = ''] = digits.split('.');
    return { digits: BigInt(whole + rest), power: Number(power) - rest.length };
  });
  const least = Math.min(...parts.map(({ power }) => power));
  return parts.map(({ digits, power }) => digits * 10n ** BigInt(power - least));
}

function rangeOf(values: readonly bigint[]): bigint {
  const ascending = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return (ascending.at(-1) ?? 0n) - (ascending[0] ?? 0n);
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/** The variance of a team, times the square of `common`, which is a multiple of its size. */
function variance(weights: readonly bigint[], common: bigint): bigint {
  const size = BigInt(weights.length);
  // Each deviation from the mean, times the size.
  const deviations = weights.map((weight) => size * weight - sumOf(weights));
  return (sumOf(deviations.map((deviation) => deviation ** 2n)) / size) * (common / size) ** 2n;
}

/** Largest party against largest party, and so on down; a single player is a party of one. */
function partiesApart(teams: readonly (readonly SplitPlayer[])[]): bigint {
  const sizes = teams.map((team) => {
    const names = [...new Set(team.flatMap(({ party }) => party ?? []))];
    return names.map((name) => team.filter(({ party }) => party === name).length).toSorted((a, b) => b - a);
  });
  const longest = Math.max(...sizes.map((list) => list.length));
  return sumOf(Array.from({ length: longest }, (_, i) => rangeOf(sizes.map((list) => BigInt(list[i] ?? 1)))));
}

/**
 * Whether one split is better than another by the first goal in which they differ.
 *
 * @param quantum the solver's rounding of weights. Splits tie when their spreads are nearer than that rounding, or a
 *   double's, allows to distinguish.
 */
export function isClearlyBetter(problem: SplitProblem, one: Teams, other: Teams, quantum: number): boolean {
  const { players, roles = {}, second } = problem;
  const weights = players.map(({ weight }) => weight);
  const digits = Number.EPSILON * Math.max(...weights.map(Math.abs));
  const [error = 0n, ...exact] = asWritten([Math.max(quantum, digits), ...weights]);
  const weightOf = new Map(players.map(({ id }, i) => [id, exact[i] ?? 0n]));
  const byId = new Map(players.map((player) => [player.id, player]));
  const common = [...one, ...other].reduce((product, team) => product * BigInt(team.length), 1n);
  const missOf = (goal: SecondGoal, teams: Teams): bigint => {
    if (goal === 'spread')
      return rangeOf(
        teams.map((team) =>
          variance(
            team.map((id) => weightOf.get(id) ?? 0n),
            common,
          ),
        ),
      );
    const full = teams.map((team) => team.flatMap((id) => byId.get(id) ?? []));
    if (goal === 'parties') return partiesApart(full);
    return sumOf(
      Object.keys(roles).map((role) =>
        rangeOf(full.map((team) => BigInt(team.filter(({ canPlay }) => canPlay?.includes(role)).length))),
      ),
    );
  };
  // A weight is off by half of `error`, so its deviation from the mean by all of it, the square of that, and with it a
  // variance, by twice the range times it and its square. Four variances are compared.
  const blur = 4n * (2n * rangeOf(exact) * error + error ** 2n) * common ** 2n;
  for (const goal of second?.goals ?? []) {
    const gain = missOf(goal, other) - missOf(goal, one);
    if (gain !== 0n) return gain > (goal === 'spread' ? blur : 0n);
  }
  return false;
}
