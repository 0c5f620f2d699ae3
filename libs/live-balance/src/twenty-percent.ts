import {
  mayMoveNow,
  nobodyIn,
  type Choice,
  type Guards,
  type Imbalance,
  type Patience,
} from './imbalance.js';
import { sayRaised, worthByRule } from './worth.js';
import {
  afterMoves,
  byTeam,
  compareText,
  largest,
  movableFrom,
  nameOf,
  say,
  sizesOf,
  smallest,
  type Move,
  type Roster,
  type TeamPlayer,
} from './roster.js';

/** The 20 % rule: no team weighs more than so much above another. */
export interface WeightRule extends Patience {
  readonly kind: 'weight';
  /** Teams are unbalanced above this, as a share of the lighter one: 0.2 is 20 %. */
  readonly over: number;
  /**
   * What members of a party count, by its size: the first is for 0 members, the last for all sizes from there on. Empty: as
   * they are.
   */
  readonly partyFactors: readonly number[];
}

/** Members of a party of 2 count 1.15 times, of 3 1.2 times, of 4 and more 1.25 times. */
export const communityPartyFactors: readonly number[] = [1, 1, 1.15, 1.2, 1.25];

/** Rounding does not make equal shares unequal. */
const slack = 1e-12;

/**
 * When one team's weight is more than a share above another's (L9). Weights are ratings, raised where one is negative
 * (`zeroOf`), and times the factor of the player's party.
 *
 * Source: a proposal of Sector's Edge's community.
 *
 * @returns null when they are balanced
 */
export function findByWeight(roster: Roster, rule: WeightRule): Imbalance | null {
  const strengths = byTeam(roster, worthByRule(roster, rule));
  const from = largest(strengths);
  const to = smallest(strengths);
  if (!isOver(strengths[from]!, strengths[to]!, rule)) return null;
  const sizes = sizesOf(roster);
  return { by: 'weight', from, to, sizes, strengths, why: whyOver(roster, from, to, sizes, strengths) };
}

function whyOver(
  roster: Roster,
  from: number,
  to: number,
  sizes: readonly number[],
  strengths: readonly number[],
): string {
  const [stronger, weaker] = [nameOf(roster, from), nameOf(roster, to)];
  if (sizes[to] === 0) return `${weaker} has nobody to stand against ${stronger}.`;
  if (strengths[to]! <= 0) return `${weaker} weighs nothing against ${stronger}.`;
  const share = say(100 * (strengths[from]! / strengths[to]! - 1));
  return `${stronger} is ${share} % stronger than ${weaker}${sayRaised(roster)}.`;
}

const isOver = (heavier: number, lighter: number, { over }: WeightRule): boolean =>
  heavier > (1 + over) * lighter * (1 + slack) && heavier - lighter > slack;

/**
 * Moves the player who brings the two weights closest, again and again until they are balanced: each time somebody who may
 * leave, whose move makes the difference less and does not make the other team too heavy; of equals the first by id.
 */
export function chooseByWeight(
  roster: Roster,
  rule: WeightRule,
  first: Imbalance,
  { movedBefore, swings }: Guards,
): Choice {
  const weightOf = worthByRule(roster, rule);
  const { from, to } = first;
  const movable = movableFrom(roster, from, movedBefore);
  if (movable.length === 0) return { outcome: 'nobody-fits', why: nobodyIn(roster, from) };
  const moves: Move[] = [];
  let now: Imbalance | null = first;
  while (now && now.from === from && now.to === to) {
    const ahead = now.strengths[from]! - now.strengths[to]!;
    const isAlready = new Set(moves.map(({ playerId }) => playerId));
    const remaining = movable.filter(({ playerId }) => !isAlready.has(playerId));
    const left = (player: TeamPlayer): number => Math.abs(ahead - 2 * weightOf(player));
    const closer = remaining
      .filter((player) => left(player) < ahead)
      .toSorted((a, b) => left(a) - left(b) || compareText(a.playerId, b.playerId));
    const isAllowed = ({ playerId }: TeamPlayer): boolean => !swings([...moves, { playerId, from, to }]);
    const best = mayMoveNow(rule, closer).find(isAllowed);
    if (!best) {
      if (moves.length > 0) break;
      const fits = closer.filter(isAllowed);
      return fits.length > 0
        ? { outcome: 'waits', forOneOf: fits.map(({ playerId }) => playerId) }
        : {
            outcome: 'nobody-fits',
            why: `Nobody fits: no single move brings ${nameOf(roster, from)} and ${nameOf(roster, to)} closer.`,
          };
    }
    moves.push({ playerId: best.playerId, from, to });
    now = findByWeight(afterMoves(roster, moves), rule);
  }
  return { outcome: 'moves', moves, exact: true };
}
