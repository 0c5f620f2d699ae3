import type { Random } from '@muster/domain';
import type { BestTeams } from './arrangement.js';
import type { Budget } from '../problem/budget.js';
import type { Seating } from './seating.js';
import type { Teams } from './team-search.js';

/** Steps of a proposed exchange, and per team. */
const stepsToPropose = 12;
const stepsPerTeam = 2;
/** An exchange that is worse by so many temperatures is not accepted: its probability is below a ten thousandth. */
const mostWorse = 10;
/** The last temperature, as a share of the spread of weights. */
const coldest = 3e-4;

/**
 * Simulated annealing for teams of parties and single players: two teams exchange some of their groups, as many players in
 * one direction as in the other, so that a party of three may trade places with three single players. An exchange that makes
 * the teams less even by d is accepted with probability exp(−d / temperature), while the temperature falls.
 *
 * @see Kirkpatrick, Gelatt, Vecchi (1983), Optimization by simulated annealing
 */
export class Annealing {
  /** How many groups of the two teams the proposed exchange moves: the first of each. */
  private going = 0;
  private coming = 0;

  constructor(
    private readonly seating: Seating,
    private readonly random: Random,
  ) {}

  /**
   * Cools once, and offers the most even teams on the way.
   *
   * @param teams to start from; they satisfy the constraints
   * @param heat the first temperature, as a share of the spread of weights
   * @throws OutOfTime after which the most even teams so far were offered
   */
  cool(teams: Teams, heat: number, proposals: number, list: BestTeams, budget: Budget): void {
    const { seating, random } = this;
    const { levels, sums, units, factors, offsets } = seating;
    const { uneven } = seating.arrangement;
    const count = levels.length;
    const work = stepsToPropose + stepsPerTeam * count;
    seating.seat(teams);
    const factor = (coldest / heat) ** (1 / proposals);
    let temperature = heat * this.spread();
    let value = seating.value();
    let least = value;
    let best: number[][] | null = null;
    try {
      for (let proposal = 0; proposal < proposals; proposal++) {
        budget.spend(work);
        temperature *= factor;
        const a = Math.floor(random() * count);
        let b = Math.floor(random() * (count - 1));
        if (b >= a) b++;
        const more = this.propose(a, b);
        if (Number.isNaN(more)) continue;
        const levelA = offsets[a]! + factors[a]! * (sums[a]! - more);
        const levelB = offsets[b]! + factors[b]! * (sums[b]! + more);
        let low = Math.min(levelA, levelB);
        let high = Math.max(levelA, levelB);
        for (let t = 0; t < count; t++) {
          if (t === a || t === b) continue;
          const other = levels[t]!;
          if (other < low) low = other;
          if (other > high) high = other;
        }
        const next = uneven(low, high);
        if (
          next > value &&
          (next - value > mostWorse * temperature || random() >= Math.exp((value - next) / temperature))
        )
          continue;
        if (!this.exchange(a, b)) continue;
        sums[a]! -= more;
        sums[b]! += more;
        levels[a] = levelA;
        levels[b] = levelB;
        value = next;
        if (value >= least) continue;
        least = value;
        best = units.map((team) => [...team]);
      }
    } finally {
      if (best) seating.offer(best, list);
    }
  }

  /** The unevenness of two teams that differ by the standard deviation of weights. */
  private spread(): number {
    const { order, weights, uneven, level } = this.seating.arrangement;
    const mean = order.reduce((sum, i) => sum + weights.values[i]!, 0) / order.length;
    const squares = order.reduce((sum, i) => sum + (weights.values[i]! - mean) ** 2, 0);
    const [first] = this.seating.sums;
    return uneven(level(0, first!), level(0, first! + Math.sqrt(squares / order.length)));
  }

  /**
   * Draws groups of two teams with as many players, and puts them first in their teams.
   *
   * @returns the weight that team a would give to b; NaN when no such groups were drawn
   */
  private propose(a: number, b: number): number {
    const { random, seating } = this;
    const { sizes, weights } = seating;
    const [x, y] = [seating.units[a]!, seating.units[b]!];
    let going = 0;
    let coming = 0;
    let more = 0;
    // The players that b owes.
    let owed = 0;
    do {
      const isGoing = going === 0 || owed < 0;
      const units = isGoing ? x : y;
      const from = isGoing ? going++ : coming++;
      if (from >= units.length) return NaN;
      const at = from + Math.floor(random() * (units.length - from));
      const unit = units[at]!;
      units[at] = units[from]!;
      units[from] = unit;
      owed += isGoing ? sizes[unit]! : -sizes[unit]!;
      more += isGoing ? weights[unit]! : -weights[unit]!;
    } while (owed !== 0);
    this.going = going;
    this.coming = coming;
    return more;
  }

  /** @returns false when a constraint forbids the proposed exchange */
  private exchange(a: number, b: number): boolean {
    const { going, coming, seating } = this;
    const [x, y] = [seating.units[a]!, seating.units[b]!];
    if (seating.arrangement.bound) {
      if (!seating.keeps([...y.slice(0, coming), ...x.slice(going)])) return false;
      if (!seating.keeps([...x.slice(0, going), ...y.slice(coming)])) return false;
    }
    const both = Math.min(going, coming);
    for (let at = 0; at < both; at++) {
      const unit = x[at]!;
      x[at] = y[at]!;
      y[at] = unit;
    }
    if (going > both) y.push(...x.splice(both, going - both));
    if (coming > both) x.push(...y.splice(both, coming - both));
    return true;
  }
}
