import { seededRandom, type Random } from '@muster/domain';
import { Steps, type BaselineLimit, type BaselineWork } from './steps.js';
import { asTeams, total, type BaselineTeams, type PartyPlayer } from './sums.js';

export interface RestartGreedyRules {
  readonly teamSizes: readonly number[];
  /** Number of starts; default: until the limit stops it. */
  readonly starts?: number;
  readonly seed?: number;
}

export interface RestartGreedyTeams extends BaselineTeams, BaselineWork {
  readonly starts: number;
}

interface Group {
  readonly members: readonly PartyPlayer[];
  readonly weight: number;
}

/**
 * Random restarts of a greedy assignment with swaps, for any number of teams and with parties:
 *
 * 1. Take the parties and single players in random order, large parties first, each to the lightest team with room.
 * 2. Of all swaps of two parties of one size, or of two single players, make the one that brings the largest and the
 *    smallest sum closest, until none helps.
 * 3. Keep the best of all starts.
 *
 * Limitations: a party is only swapped for one of its size; starts do not learn from each other.
 *
 * An operation is a group placed, or a swap evaluated.
 *
 * @returns null when no start found room for all parties
 */
export function restartGreedy(
  players: readonly PartyPlayer[],
  { teamSizes, starts = Infinity, seed = 0 }: RestartGreedyRules,
  limit: BaselineLimit = {},
): RestartGreedyTeams | null {
  const steps = new Steps(limit);
  const random = seededRandom(seed);
  const groups = groupsOf(players);
  let best: { teams: Group[][]; difference: number } | null = null;
  let start = 0;
  for (; start < starts && !steps.stopped; start++) {
    const teams = placed(groups, teamSizes, random, steps);
    if (!teams) continue;
    const difference = swap(teams, steps);
    if (!best || difference < best.difference) best = { teams, difference };
  }
  if (!best) return null;
  const teams = best.teams.map((team) => team.flatMap(({ members }) => members));
  return { ...asTeams(teams), starts: start, ...steps.work() };
}

function groupsOf(players: readonly PartyPlayer[]): Group[] {
  const byParty = new Map<string, PartyPlayer[]>();
  for (const player of players) {
    const name = player.party === undefined ? `player ${player.id}` : `party ${player.party}`;
    byParty.set(name, [...(byParty.get(name) ?? []), player]);
  }
  return [...byParty.values()].map((members) => ({ members, weight: total(members) }));
}

function placed(
  groups: readonly Group[],
  teamSizes: readonly number[],
  random: Random,
  steps: Steps,
): Group[][] | null {
  const order = groups
    .map((group) => ({ group, at: random() }))
    .toSorted((a, b) => b.group.members.length - a.group.members.length || a.at - b.at);
  const teams: Group[][] = teamSizes.map(() => []);
  const room = [...teamSizes];
  const sums = teamSizes.map(() => 0);
  for (const { group } of order) {
    steps.take();
    let to = -1;
    for (let t = 0; t < teams.length; t++)
      if (room[t]! >= group.members.length && (to < 0 || sums[t]! < sums[to]!)) to = t;
    if (to < 0) return null;
    teams[to]!.push(group);
    room[to]! -= group.members.length;
    sums[to]! += group.weight;
  }
  return teams;
}

/** @returns the difference of the largest and the smallest sum in the end */
function swap(teams: Group[][], steps: Steps): number {
  const sums = teams.map((team) => team.reduce((sum, { weight }) => sum + weight, 0));
  for (;;) {
    const least = Math.max(...sums) - Math.min(...sums);
    const best = bestSwap(teams, sums, least, steps);
    if (!best) return least;
    const { a, b, i, j } = best;
    const [going, coming] = [teams[a]![i]!, teams[b]![j]!];
    teams[a]![i] = coming;
    teams[b]![j] = going;
    sums[a]! += coming.weight - going.weight;
    sums[b]! += going.weight - coming.weight;
  }
}

function bestSwap(
  teams: readonly (readonly Group[])[],
  sums: readonly number[],
  from: number,
  steps: Steps,
): { a: number; b: number; i: number; j: number } | null {
  let least = from - 1e-9 * Math.abs(from);
  let best = null;
  for (let a = 0; a < teams.length; a++) {
    for (let b = a + 1; b < teams.length; b++) {
      let [low, high] = [Infinity, -Infinity];
      for (let t = 0; t < sums.length; t++) {
        if (t === a || t === b) continue;
        low = Math.min(low, sums[t]!);
        high = Math.max(high, sums[t]!);
      }
      if (high - low >= least) continue;
      for (let i = 0; i < teams[a]!.length; i++) {
        for (let j = 0; j < teams[b]!.length; j++) {
          const [x, y] = [teams[a]![i]!, teams[b]![j]!];
          if (x.members.length !== y.members.length) continue;
          const more = y.weight - x.weight;
          const [first, second] = [sums[a]! + more, sums[b]! - more];
          const difference = Math.max(high, first, second) - Math.min(low, first, second);
          if (difference < least) {
            least = difference;
            best = { a, b, i, j };
          }
          if (!steps.take()) return best;
        }
      }
    }
  }
  return best;
}
