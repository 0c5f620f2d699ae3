import type { Arrangement, BestTeams } from './arrangement.js';
import type { Teams } from './team-search.js';

/** The groups of each team, as numbers only: for searches that try millions of exchanges. */
export class Seating {
  /** Indices of groups, by team. */
  readonly units: number[][];
  readonly sums: Float64Array;
  /** As `arrangement.level`, computed as `offsets[t] + factors[t] * sums[t]`: the loops call no closures. */
  readonly levels: Float64Array;
  readonly factors: Float64Array;
  readonly offsets: Float64Array;
  /** Players and weight of each group. */
  readonly sizes: Int32Array;
  readonly weights: Float64Array;

  constructor(readonly arrangement: Arrangement) {
    const { groups, problem } = arrangement;
    const count = problem.teamSizes.length;
    this.units = problem.teamSizes.map(() => []);
    this.sums = new Float64Array(count);
    this.levels = new Float64Array(count);
    this.offsets = Float64Array.from(this.sums, (_, t) => arrangement.level(t, 0));
    this.factors = Float64Array.from(this.sums, (_, t) => arrangement.level(t, 1) - this.offsets[t]!);
    this.sizes = Int32Array.from(groups, ({ members }) => members.length);
    this.weights = Float64Array.from(groups, ({ weight }) => weight);
  }

  seat(teams: Teams): void {
    const teamOf = new Map(teams.flatMap((team, t) => team.map((i) => [i, t] as const)));
    this.clear();
    this.arrangement.groups.forEach(({ members }, unit) => this.add(unit, teamOf.get(members[0]!)!));
    this.level();
  }

  clear(): void {
    this.sums.fill(0);
    for (const units of this.units) units.length = 0;
  }

  /** After the last of them, `level()` computes the levels. */
  add(unit: number, team: number): void {
    this.units[team]!.push(unit);
    this.sums[team]! += this.weights[unit]!;
  }

  level(): void {
    for (let t = 0; t < this.sums.length; t++)
      this.levels[t] = this.offsets[t]! + this.factors[t]! * this.sums[t]!;
  }

  /** The unevenness of the levels. */
  value(): number {
    const { levels, arrangement } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let t = 0; t < levels.length; t++) {
      if (levels[t]! < low) low = levels[t]!;
      if (levels[t]! > high) high = levels[t]!;
    }
    return arrangement.uneven(low, high);
  }

  /** Whether groups satisfy what a team has to, beside its size. */
  keeps(units: readonly number[]): boolean {
    const { avoids, keepsRoles, bound } = this.arrangement;
    if (!bound) return true;
    const team = this.membersOf(units);
    return keepsRoles(team) && team.every((i, at) => team.every((j, other) => other <= at || !avoids(i, j)));
  }

  offer(units: readonly (readonly number[])[], list: BestTeams): void {
    list.offer(this.arrangement.measure(units.map((team) => this.membersOf(team))));
  }

  private membersOf(units: readonly number[]): number[] {
    return units.flatMap((unit) => this.arrangement.groups[unit]!.members);
  }
}
