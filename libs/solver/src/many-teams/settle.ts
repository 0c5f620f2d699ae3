import type { Random } from '@muster/domain';
import type { Arrangement } from './arrangement.js';
import type { Budget } from '../problem/budget.js';
import { Shortlist, type Core } from '../two-teams/core.js';
import { sample } from '../two-teams/ladder.js';
import { canMeet, meet } from '../two-teams/meet.js';
import type { Standing } from './standing.js';

/**
 * Number of players of two teams that are placed again at a time, from quick to thorough: a meet takes from 10 µs to 30 ms.
 */
export const widths = [12, 16, 20, 24, 28, 32, 36, 40] as const;
/** Overhead of preparing a meet, in steps. */
const stepsToBegin = 2_000;
/** Up to this width a failed attempt is so cheap that every pair with an extreme team is tried, twice. */
const quick = 24;

/**
 * Evens out teams of single players, two at a time. The team of the highest level gives to that of the lowest the weight
 * that brings one of the two to the common target level, as nearly as placing `width` of their players again allows, met in
 * the middle. So each exchange settles a team, and one exchange fewer than there are teams settles all. Continues until no
 * exchange of this width helps.
 *
 * @throws OutOfTime after which `standing` holds the result so far
 */
export function settle(
  arrangement: Arrangement,
  standing: Standing,
  width: number,
  least: number,
  end: number,
  random: Random,
  budget: Budget,
): void {
  // Placing all players of two unchanged teams again is pointless.
  const vain = new Set<string>();
  const changes = standing.teams.map(() => 0);
  for (let rounds = width > quick ? 1 : 2; rounds > 0 && standing.value > least && budget.operations < end;) {
    const isSettled = pairsOf(standing, width > quick).some(([a, b]) => {
      const all = standing.teams[a]!.length + standing.teams[b]!.length <= width;
      const name = `${a},${b},${changes[a]},${changes[b]}`;
      if (all && vain.has(name)) return false;
      vain.add(name);
      if (!exchange(arrangement, standing, a, b, width, random, budget)) return false;
      changes[a]!++;
      changes[b]!++;
      return true;
    });
    if (!isSettled) rounds--;
  }
}

/**
 * Pairs of which one is the highest or the lowest, the higher first: those two, then the highest with the others, from the
 * lowest.
 */
function pairsOf(standing: Standing, onlyExtremes: boolean): (readonly [number, number])[] {
  const { levels } = standing;
  const { high, low } = standing.extremes();
  if (onlyExtremes) return [[high, low]];
  const between = [...levels.keys()]
    .filter((t) => t !== high && t !== low)
    .sort((a, b) => levels[a]! - levels[b]!);
  return [
    [high, low],
    ...between.map((t) => [high, t] as const),
    ...between.toReversed().map((t) => [t, low] as const),
  ];
}

/** @returns whether an exchange of players of team a for as many of team b helped */
function exchange(
  arrangement: Arrangement,
  standing: Standing,
  a: number,
  b: number,
  width: number,
  random: Random,
  budget: Budget,
): boolean {
  const { values } = arrangement.weights;
  const { teams, sums } = standing;
  if (!canMeet(width, budget, true)) return false;
  const players = [...teams[a]!, ...teams[b]!];
  const size = teams[a]!.length;
  const sides = Uint8Array.from(players, (_, at) => (at < size ? 1 : 0));
  const free = freePlaces(size, players.length, width, random);
  for (const wanted of toGive(arrangement, standing, a, b)) {
    const core: Core = {
      atoms: players.map((i) => ({ gain: values[i]!, here: 1, there: 0 })),
      laneOf: (key) => (key === size ? { target: sums[a]! - sums[b]! - 2 * wanted, scale: 1 } : null),
      accepts: null,
      mirrored: false,
    };
    const shortlist = new Shortlist(1);
    shortlist.threshold = 2 * wanted;
    // Preparing the problem costs some steps, too.
    budget.spend(stepsToBegin);
    meet(core, shortlist, 0, budget, { sides, free });
    const found = shortlist.items[0];
    if (!found) continue;
    const first = players.filter((_, at) => found.sides[at]);
    if (!standing.helps(a, b, sums[a]! - standing.sumOf(first))) continue;
    standing.set(
      a,
      first,
      b,
      players.filter((_, at) => !found.sides[at]),
    );
    return true;
  }
  return false;
}

/**
 * The weight that the first team should give to the second: the amount that brings one to the common level; else both to
 * the level between them.
 */
function toGive({ level, problem }: Arrangement, { levels, sums }: Standing, a: number, b: number): number[] {
  // A level is a constant of the team plus, for each unit of weight, its factor.
  const worth = (t: number): number => level(t, 1) - level(t, 0);
  let total = 0;
  let per = 0;
  problem.teamSizes.forEach((_, t) => {
    total += sums[t]! + level(t, 0) / worth(t);
    per += 1 / worth(t);
  });
  const ideal = total / per;
  const over = (levels[a]! - ideal) / worth(a);
  const under = (ideal - levels[b]!) / worth(b);
  const between = (levels[a]! - levels[b]!) / (worth(a) + worth(b));
  return [...new Set([Math.min(over, under), between])].filter((wanted) => wanted > 0);
}

/** Some players of either team, as many of one as of the other where possible. */
function freePlaces(size: number, players: number, width: number, random: Random): number[] {
  if (players <= width) return Array.from({ length: players }, (_, at) => at);
  const other = players - size;
  const first = Math.min(size, Math.max(width / 2, width - other));
  const here = sample(size, first, random);
  const there = sample(other, Math.min(other, width - first), random).map((at) => size + at);
  // Alternating between the teams: each half of the meet has as many of either.
  return here.length > there.length ? woven(here, there) : woven(there, here);
}

function woven(more: readonly number[], fewer: readonly number[]): number[] {
  return more.flatMap((at, i) => (i < fewer.length ? [at, fewer[i]!] : [at]));
}
