import { message, type BalanceRuleOf } from '@muster/domain';
import { halfOf, nearest, type Item } from './halves.js';
import { mayMoveNow, noCandidates, type Choice, type Guards, type Imbalance } from './imbalance.js';
import {
  compareText,
  movableFrom,
  sizesOf,
  smallest,
  sumsOf,
  teamParam,
  type Roster,
  type TeamPlayer,
} from '../roster/roster.js';

/** SynElo: sizes decide which team gives, ratings decide who moves. */
export type SizesRule = BalanceRuleOf<'sizes'>;

/**
 * When sizes differ by 2 or more (L10). Of the largest teams the stronger one gives, of the smallest the weaker one gets a
 * player.
 *
 * @returns null when they do not
 */
export function findBySizes(roster: Roster, { least }: SizesRule): Imbalance | null {
  const sizes = sizesOf(roster);
  const strengths = sumsOf(roster);
  const teams = sizes.map((_, team) => team);
  const from = teams.toSorted((a, b) => sizes[b]! - sizes[a]! || strengths[b]! - strengths[a]! || a - b)[0]!;
  const to = teams.toSorted((a, b) => sizes[a]! - sizes[b]! || strengths[a]! - strengths[b]! || a - b)[0]!;
  if (sizes[from]! - sizes[to]! < Math.max(2, least)) return null;
  return {
    by: 'size',
    from,
    to,
    sizes,
    strengths,
    why: [message('balance.sizes', { larger: sizes[from]!, smaller: sizes[to]! })],
  };
}

/** Players to move from one team to another. */
export interface Transfer {
  readonly playerIds: readonly string[];
  /** The remaining |larger − smaller|, in ratings. */
  readonly difference: number;
  /** True when no other choice of as many players leaves less. */
  readonly exact: boolean;
}

/**
 * Chooses the players who move to the other team so that the two are most even, `moves` of them at once: those whose
 * ratings together are nearest to D/2, since each move of a rating r changes D by 2r. With one move that is the player
 * whose rating is nearest T = D/2.
 *
 * D is signed: the larger team's sum less the smaller one's. The source takes |D|, which chooses badly when the larger team
 * is the weaker one; here the lowest-rated move then.
 *
 * All moves are solved together by meet-in-the-middle; where that is too expensive (more than some ten moves of more than
 * some thirty players) they are chosen one by one and improved by exchanges, and `exact` is false.
 *
 * Source: SynElo, F11.
 *
 * @param signedDifference D, in ratings
 * @param moves how many, at least 1; fewer move where there are fewer players
 */
export function transfer(
  movable: readonly Pick<TeamPlayer, 'playerId' | 'rating'>[],
  signedDifference: number,
  moves: number,
): Transfer {
  const players = movable.toSorted((a, b) => compareText(a.playerId, b.playerId));
  const number = Math.min(moves, players.length);
  const target = signedDifference / 2;
  const items = players.map(({ rating }): Item => ({
    taken: { key: 1, sum: rating },
    left: { key: 0, sum: 0 },
  }));
  const middle = Math.ceil(items.length / 2);
  const first = halfOf(items.slice(0, middle), number);
  const second = first && halfOf(items.slice(middle), number);
  const met = first && second ? nearest(first, second, number, target) : null;
  const chosen = met ? players.filter((_, i) => met.taken[i]) : oneByOne(players, target, number);
  const sum = chosen.reduce((total, { rating }) => total + rating, 0);
  return {
    playerIds: chosen.map(({ playerId }) => playerId),
    difference: Math.abs(signedDifference - 2 * sum),
    exact: met !== null,
  };
}

type Rated = Pick<TeamPlayer, 'playerId' | 'rating'>;

/**
 * Chooses the share of the target each time, then applies the best exchange of a chosen player for another, until none
 * helps.
 */
function oneByOne(players: readonly Rated[], target: number, moves: number): Rated[] {
  const going: Rated[] = [];
  const staying = [...players];
  let sum = 0;
  while (going.length < moves) {
    const share = (target - sum) / (moves - going.length);
    const at = smallest(staying.map(({ rating }) => Math.abs(rating - share)));
    const [next] = staying.splice(at, 1);
    going.push(next!);
    sum += next!.rating;
  }
  for (;;) {
    let best = { off: Math.abs(sum - target), out: -1, into: -1 };
    for (const [out, { rating: less }] of going.entries()) {
      for (const [into, { rating: more }] of staying.entries()) {
        const off = Math.abs(sum - less + more - target);
        if (off < best.off - 1e-9 * (1 + Math.abs(target))) best = { off, out, into };
      }
    }
    if (best.out < 0) return going;
    const [out, into] = [going[best.out]!, staying[best.into]!];
    sum += into.rating - out.rating;
    going[best.out] = into;
    staying[best.into] = out;
  }
}

/**
 * Moves ⌊Δk/2⌋ players from the larger to the smaller team, chosen together by their ratings as they are, as in the source:
 * where one team stays a player ahead, their sums are made as equal as can be, although that player counts.
 */
export function chooseBySizes(
  roster: Roster,
  rule: SizesRule,
  { from, to, sizes, strengths }: Imbalance,
  { movedBefore, swings }: Guards,
): Choice {
  const movable = movableFrom(roster, from, movedBefore);
  if (movable.length === 0) return { outcome: 'nobody-fits', why: [noCandidates(roster, from)] };
  const now = mayMoveNow(rule, movable);
  if (now.length === 0) return { outcome: 'waits', forOneOf: movable.map(({ playerId }) => playerId) };
  const number = Math.floor((sizes[from]! - sizes[to]!) / 2);
  const { playerIds, exact } = transfer(now, strengths[from]! - strengths[to]!, number);
  const moves = playerIds.map((playerId) => ({ playerId, from, to }));
  if (swings(moves))
    return { outcome: 'nobody-fits', why: [message('balance.too-strong', { to: teamParam(roster, to) })] };
  return { outcome: 'moves', moves, exact };
}
