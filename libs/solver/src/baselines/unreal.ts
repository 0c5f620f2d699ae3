import { Unsolvable } from '@muster/domain';
import { Steps, type BaselineLimit, type BaselineWork } from './steps.js';
import type { WeighedPlayer } from './sums.js';

export interface UnrealRules {
  /** The mean weight of a bot. */
  readonly botWeight: number;
  /** Fewest players and bots of both teams together. */
  readonly fillTo: number;
  /** How many of the best to keep: the page keeps 5, its program 20. */
  readonly best: number;
  /** Largest team. Default: at most 16, and at most 18 of 32 of all. */
  readonly largestTeam?: number;
}

export interface UnrealSplit {
  readonly teams: readonly [readonly string[], readonly string[]];
  readonly bots: readonly [number, number];
  /** Bots included. */
  readonly sums: readonly [number, number];
  /** Smaller sum over the larger; 0 unless the larger is positive. */
  readonly ratio: number;
}

export interface UnrealSplits extends BaselineWork {
  /** The best first; of equal ones the one found first. */
  readonly splits: readonly UnrealSplit[];
}

/** A team of each player, one bit each, and its result. */
interface Candidate {
  readonly mask: number;
  readonly bots: readonly [number, number];
  readonly sums: readonly [number, number];
  readonly ratio: number;
}

const enumerated = 16;
const mostPlayers = 32;
/** From the strongest down: one, zero, zero, one, and so on. */
const fixedPattern = 0x99999999;

/** The size of the largest team that the program allows. */
export function unrealLargestTeam(players: number): number {
  return Math.min(16, Math.floor((18 * players) / 32));
}

/**
 * The team balancer written for Unreal Tournament: it tries every assignment to two teams, fills empty places with bots of
 * mean weight, keeps the best few by the ratio of the smaller sum to the larger, and draws one of them.
 *
 * 1. With 16 players or fewer, all 2^(N − 1) ways: the last player's team is fixed, since teams have no names.
 * 2. With more, the strongest are fixed: one on the second team, two on the first, two on the second, and so on; all 2^16
 *    ways of the 16 weakest.
 * 3. Assignments with a team above the largest size are skipped; places are the larger of what is to be filled and the
 *    larger team.
 *
 * Limitations: above 16 players its distance from the optimum is unknown, since the strongest never change; and the page's
 * loop that should shift worse assignments down copies one over all of them, which is corrected here.
 *
 * An operation is one assignment evaluated.
 *
 * @throws Unsolvable beyond 32 players
 */
export function unreal(
  players: readonly WeighedPlayer[],
  rules: UnrealRules,
  limit: BaselineLimit = {},
): UnrealSplits {
  const count = players.length;
  if (count > mostPlayers) {
    throw new Unsolvable(
      `The Unreal Tournament balancer reaches ${mostPlayers} players: there are ${count}.`,
      {
        players: count,
      },
    );
  }
  const fixes = count > enumerated;
  const ordered = fixes
    ? players.toSorted((a, b) => a.weight - b.weight || (a.id < b.id ? 1 : -1))
    : [...players];
  const preset = fixes ? ((fixedPattern >>> (mostPlayers - count)) & (-1 << enumerated)) >>> 0 : 0;
  const ways = count === 0 ? 0 : 2 ** (fixes ? enumerated : count - 1);
  const largestTeam = rules.largestTeam ?? unrealLargestTeam(count);
  const steps = new Steps(limit);
  const kept: Candidate[] = [];
  for (let way = 0; way < ways && !steps.stopped; way++) {
    const candidate = weigh(ordered, (way | preset) >>> 0, rules, largestTeam);
    if (candidate) keep(kept, candidate, rules.best);
    steps.take();
  }
  return { splits: kept.map((candidate) => unfold(ordered, candidate)), ...steps.work() };
}

function weigh(
  players: readonly WeighedPlayer[],
  mask: number,
  { botWeight, fillTo }: UnrealRules,
  largestTeam: number,
): Candidate | null {
  let first = 0;
  let second = 0;
  let onSecond = 0;
  for (let p = 0; p < players.length; p++) {
    const weight = players[p]?.weight ?? 0;
    if ((mask >>> p) & 1) {
      second += weight;
      onSecond++;
    } else first += weight;
  }
  const onFirst = players.length - onSecond;
  const larger = Math.max(onFirst, onSecond);
  if (larger > largestTeam) return null;
  const places = Math.max(Math.ceil(fillTo / 2), larger);
  const bots = [places - onFirst, places - onSecond] as const;
  const sums = [first + botWeight * bots[0], second + botWeight * bots[1]] as const;
  const most = Math.max(...sums);
  return { mask, bots, sums, ratio: most > 0 ? Math.min(...sums) / most : 0 };
}

function keep(kept: Candidate[], candidate: Candidate, best: number): void {
  const last = kept[best - 1];
  if (last && candidate.ratio <= last.ratio) return;
  const place = kept.findIndex(({ ratio }) => ratio < candidate.ratio);
  kept.splice(place < 0 ? kept.length : place, 0, candidate);
  if (kept.length > best) kept.pop();
}

function unfold(players: readonly WeighedPlayer[], { mask, bots, sums, ratio }: Candidate): UnrealSplit {
  const ids = (team: number): string[] =>
    players.flatMap(({ id }, p) => (((mask >>> p) & 1) === team ? [id] : []));
  return { teams: [ids(0), ids(1)], bots, sums, ratio };
}
