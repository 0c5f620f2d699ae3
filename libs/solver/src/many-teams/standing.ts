import type { Arrangement } from './arrangement.js';
import { moreEven, type Evened, type Teams } from './team-search.js';

/** Teams during the search: their players and levels. Exchanges are made only where they help. */
export class Standing {
  readonly teams: number[][];
  /** Of the players' weights, in quanta. */
  readonly sums: number[];
  readonly levels: number[];
  private worth: { readonly value: number; readonly squares: number };

  constructor(
    private readonly arrangement: Arrangement,
    teams: Teams,
  ) {
    this.teams = teams.map((team) => [...team]);
    this.sums = this.teams.map((team) => this.sumOf(team));
    this.levels = this.sums.map((sum, t) => arrangement.level(t, sum));
    this.worth = this.worthOf(this.levels);
  }

  get evened(): Evened {
    return { teams: this.teams.map((team) => [...team]), ...this.worth };
  }

  get value(): number {
    return this.worth.value;
  }

  sumOf(members: readonly number[]): number {
    return members.reduce((sum, i) => sum + this.arrangement.weights.values[i]!, 0);
  }

  /** The team of the highest level and that of the lowest, the first of equal ones. */
  extremes(): { readonly high: number; readonly low: number } {
    let high = 0;
    let low = 0;
    this.levels.forEach((level, t) => {
      if (level > this.levels[high]!) high = t;
      if (level < this.levels[low]!) low = t;
    });
    return { high, low };
  }

  /** The unevenness of all teams after moving `more` from team a to team b. */
  after(a: number, b: number, more: number): { readonly value: number; readonly squares: number } {
    const { level } = this.arrangement;
    const levels = [...this.levels];
    levels[a] = level(a, this.sums[a]! - more);
    levels[b] = level(b, this.sums[b]! + more);
    return this.worthOf(levels);
  }

  /** The same for many weights, one after the other. */
  valuesAfter(a: number, b: number): (more: number) => number {
    const { level, uneven } = this.arrangement;
    const [first, second] = [this.sums[a]!, this.sums[b]!];
    const others = this.levels.filter((_, t) => t !== a && t !== b);
    const [lowest, highest] = [Math.min(...others), Math.max(...others)];
    return (more) => {
      const levelA = level(a, first - more);
      const levelB = level(b, second + more);
      return uneven(Math.min(lowest, levelA, levelB), Math.max(highest, levelA, levelB));
    };
  }

  /** Whether that is more even than now. */
  helps(a: number, b: number, more: number): boolean {
    return moreEven({ teams: [], ...this.after(a, b, more) }, { teams: [], ...this.worth }) < 0;
  }

  /** Replaces the players of two teams. */
  set(a: number, first: readonly number[], b: number, second: readonly number[]): void {
    const { level } = this.arrangement;
    for (const [t, team] of [
      [a, first],
      [b, second],
    ] as const) {
      this.teams[t] = [...team];
      this.sums[t] = this.sumOf(team);
      this.levels[t] = level(t, this.sums[t]);
    }
    this.worth = this.worthOf(this.levels);
  }

  private worthOf(levels: readonly number[]): { readonly value: number; readonly squares: number } {
    let high = -Infinity;
    let low = Infinity;
    let squares = 0;
    for (const level of levels) {
      high = Math.max(high, level);
      low = Math.min(low, level);
      squares += (level / levels.length) * level;
    }
    return { value: this.arrangement.uneven(low, high), squares };
  }
}
