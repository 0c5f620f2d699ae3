import { Steps, type BaselineLimit, type BaselineWork } from './steps.js';
import { asTeams, heaviestFirst, total, type BaselineTeams, type WeighedPlayer } from './sums.js';

export interface PairSwapRules {
  /** Players who sit out and may be swapped in. Default: none. */
  readonly bench?: readonly string[];
  /** Allowed difference of team sizes: above 0 players also move alone. Default 0. */
  readonly maxSizeDifference?: number;
}

export interface PairSwapTeams extends BaselineTeams, BaselineWork {
  readonly bench: readonly string[];
  /** Swaps and moves made, after all players had a team. */
  readonly changes: number;
}

/** `a` of one group trades places with `b` of another, or moves there alone when `b` is null. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly a: WeighedPlayer;
  readonly b: WeighedPlayer | null;
}

/**
 * Pairwise greedy balancing of existing teams, as described for Natural Selection 2 and, with a bench, for the arena
 * servers of yazoo.tf.
 *
 * 1. Players on no team join the smallest one, the lighter of equal ones, heaviest first.
 * 2. Of all swaps of two players (and moves of one, where sizes may differ) make the one that leaves the largest and the
 *    smallest sum closest.
 * 3. Repeat until no swap helps.
 *
 * Limitations: two swaps that help only together are never found, so it ends in a local optimum; with more than two teams a
 * swap must improve the extremes at once.
 *
 * An operation is one swap or move evaluated.
 */
export function pairSwap(
  players: readonly WeighedPlayer[],
  current: readonly (readonly string[])[],
  rules: PairSwapRules = {},
  limit: BaselineLimit = {},
): PairSwapTeams {
  const steps = new Steps(limit);
  const maxSizeDifference = rules.maxSizeDifference ?? 0;
  const count = current.length;
  // The bench is a group like a team, except that its sum does not count.
  let groups = seat(players, current, rules.bench ?? []);
  let changes = 0;
  while (!steps.stopped) {
    const best = bestChange(groups, count, maxSizeDifference, steps);
    if (!best) break;
    const next = make(groups, best);
    // Sums are computed again, so that a gain by rounding alone cannot cause a cycle.
    if (spread(next.slice(0, count).map(total)) >= spread(groups.slice(0, count).map(total))) break;
    groups = next;
    changes++;
  }
  return {
    ...asTeams(groups.slice(0, count)),
    bench: (groups[count] ?? []).map((player) => player.id),
    changes,
    ...steps.work(),
  };
}

function spread(sums: readonly number[]): number {
  return Math.max(...sums) - Math.min(...sums);
}

/** Teams, then the bench. */
function seat(
  players: readonly WeighedPlayer[],
  current: readonly (readonly string[])[],
  bench: readonly string[],
): WeighedPlayer[][] {
  const byId = new Map(players.map((player) => [player.id, player]));
  const pick = (ids: readonly string[]): WeighedPlayer[] => ids.flatMap((id) => byId.get(id) ?? []);
  const teams = current.map(pick);
  const sitting = pick(bench);
  const known = new Set([...current.flat(), ...bench]);
  for (const player of heaviestFirst(players.filter(({ id }) => !known.has(id)))) {
    const [joined] = teams.toSorted((a, b) => a.length - b.length || total(a) - total(b));
    joined?.push(player);
  }
  return [...teams, sitting];
}

function bestChange(
  groups: readonly (readonly WeighedPlayer[])[],
  count: number,
  maxSizeDifference: number,
  steps: Steps,
): Change | null {
  const sums = groups.slice(0, count).map(total);
  let least = spread(sums);
  let best: Change | null = null;

  const weigh = (change: Change): boolean => {
    const after = [...sums];
    const gain = (change.b?.weight ?? 0) - change.a.weight;
    after[change.from] = (after[change.from] ?? 0) + gain;
    if (change.to < count) after[change.to] = (after[change.to] ?? 0) - gain;
    const difference = spread(after);
    if (difference < least) {
      least = difference;
      best = change;
    }
    return steps.take();
  };
  for (let from = 0; from < count; from++) {
    for (let to = 0; to < groups.length; to++) {
      const alone = to < count && to !== from && mayMove(groups.slice(0, count), from, to, maxSizeDifference);
      for (const a of groups[from] ?? []) {
        if (alone && !weigh({ from, to, a, b: null })) return best;
        if (to <= from) continue;
        for (const b of groups[to] ?? []) {
          if (!weigh({ from, to, a, b })) return best;
        }
      }
    }
  }
  return best;
}

function mayMove(
  teams: readonly (readonly WeighedPlayer[])[],
  from: number,
  to: number,
  maxSizeDifference: number,
): boolean {
  if (maxSizeDifference === 0) return false;
  const moved = (t: number): number => Number(t === to) - Number(t === from);
  return spread(teams.map((team, t) => team.length + moved(t))) <= maxSizeDifference;
}

function make(groups: readonly (readonly WeighedPlayer[])[], { from, to, a, b }: Change): WeighedPlayer[][] {
  return groups.map((group, g) => {
    if (g === from) return [...group.filter((player) => player !== a), ...(b ? [b] : [])];
    if (g === to) return [...group.filter((player) => player !== b), a];
    return [...group];
  });
}
