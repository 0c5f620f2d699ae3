import { message, shown, type BalanceRuleOf, type Message } from '@muster/domain';
import { mayMoveNow, noCandidates, type Choice, type Guards, type Imbalance } from './imbalance.js';
import { exchange, mostCandidates, shapesOf, type Candidate } from './exchange.js';
import { raisedParam, worthByRule } from '../worth.js';
import {
  afterMoves,
  compareText,
  largest,
  movableFrom,
  playing,
  sizesOf,
  smallest,
  strengthsOf,
  teamParam,
  type Move,
  type Roster,
  type TeamPlayer,
} from '../roster/roster.js';

/** The 20 % rule: no team weighs more than a share above another. */
export type WeightRule = BalanceRuleOf<'weight'>;

/** Players of an exchange, where a rule does not say. */
const mostExchanged = 4;

/** Members of a party of 2 count 1.15 times, of 3 1.2 times, of 4 and more 1.25 times. */
export const communityPartyFactors: readonly number[] = [1, 1, 1.15, 1.2, 1.25];

/** Rounding does not make equal shares unequal. */
const slack = 1e-12;

/**
 * When one team's weight is more than a share above another's (L9). Weights are ratings, raised where one is negative
 * (`zeroOf`), times the factor of the player's party.
 *
 * Source: a proposal of Sector's Edge's community.
 *
 * @returns null when they are balanced
 */
export function findByWeight(roster: Roster, rule: WeightRule): Imbalance | null {
  const strengths = strengthsOf(roster, worthByRule(roster, rule));
  const from = largest(strengths);
  const to = smallest(strengths);
  if (!isOver(strengths[from]!, strengths[to]!, rule)) return null;
  const sizes = sizesOf(roster);
  return { by: 'weight', from, to, sizes, strengths, why: [whyOver(roster, from, to, sizes, strengths)] };
}

function whyOver(
  roster: Roster,
  from: number,
  to: number,
  sizes: readonly number[],
  strengths: readonly number[],
): Message {
  const teams = { from: teamParam(roster, from), to: teamParam(roster, to) };
  if (sizes[to] === 0) return message('balance.nobody-to-stand', teams);
  if (strengths[to]! <= 0) return message('balance.weighs-nothing', teams);
  const percent = shown(100 * (strengths[from]! / strengths[to]! - 1));
  return message('balance.share-stronger', { ...teams, percent, raised: raisedParam(roster) });
}

const isOver = (heavier: number, lighter: number, { over }: WeightRule): boolean =>
  heavier > (1 + over) * lighter * (1 + slack) && heavier - lighter > slack;

/**
 * Moves the player who brings the two weights closest, repeatedly until they are balanced: each time one who may leave,
 * whose move reduces the difference and does not make the other team too heavy; of equals the first by id.
 *
 * Where no such move exists, now or later, players trade places, as `chooseExchange` decides. The last player to arrive is
 * excluded: they were placed where they disturb least, and should not be moved a moment later.
 */
export function chooseByWeight(
  roster: Roster,
  rule: WeightRule,
  imbalance: Imbalance,
  guards: Guards,
): Choice {
  const { from, to } = imbalance;
  const going = movableFrom(roster, from, guards.movedBefore);
  if (going.length === 0) return { outcome: 'nobody-fits', why: [noCandidates(roster, from)] };
  const moves = chooseMoves(roster, rule, imbalance, going, guards);
  if (moves) return moves;
  const last = playing(roster).findLast(({ bot }) => !bot);
  const stays = (list: readonly TeamPlayer[]): TeamPlayer[] =>
    list.filter(({ playerId }) => playerId !== last?.playerId);
  const both: Both = [stays(going), stays(movableFrom(roster, to, guards.movedBefore))];
  const now = chooseExchange(
    roster,
    rule,
    imbalance,
    [mayMoveNow(rule, both[0]), mayMoveNow(rule, both[1])],
    guards,
  );
  const isExact = both.every((list) => list.length <= mostCandidates);
  if (now) return { outcome: 'moves', moves: now, exact: isExact };
  if (rule.onlyDead && chooseExchange(roster, rule, imbalance, both, guards))
    return { outcome: 'waits', forOneOf: usefulCandidates(roster, rule, imbalance, both) };
  const teams = { from: teamParam(roster, from), to: teamParam(roster, to) };
  return { outcome: 'nobody-fits', why: [message('balance.no-closer', teams)] };
}

/** Players who may go, and players who may come for them. */
type Both = readonly [readonly TeamPlayer[], readonly TeamPlayer[]];

/** @returns null where no move fits, of dead or living players */
function chooseMoves(
  roster: Roster,
  rule: WeightRule,
  first: Imbalance,
  movable: readonly TeamPlayer[],
  { swings }: Guards,
): Choice | null {
  const weightOf = worthByRule(roster, rule);
  const { from, to } = first;
  const moves: Move[] = [];
  let now: Imbalance | null = first;
  while (now && now.from === from && now.to === to && moves.length < (rule.mostMoved ?? Infinity)) {
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
      return fits.length > 0 ? { outcome: 'waits', forOneOf: fits.map(({ playerId }) => playerId) } : null;
    }
    moves.push({ playerId: best.playerId, from, to });
    now = findByWeight(afterMoves(roster, moves), rule);
  }
  return { outcome: 'moves', moves, exact: true };
}

/**
 * The first exchange after which no rule finds an imbalance; else the first after which this rule finds none; else the one
 * that leaves the teams closest.
 *
 * @returns null where the guards allow no exchange that brings them closer
 */
function chooseExchange(
  roster: Roster,
  rule: WeightRule,
  { from, to, strengths }: Imbalance,
  [going, coming]: Both,
  { swings, settles }: Guards,
): Move[] | null {
  const worth = worthByRule(roster, rule);
  const candidates = (list: readonly TeamPlayer[]): Candidate[] =>
    list.map((player) => ({ playerId: player.playerId, worth: worth(player) }));
  const ahead = strengths[from]! - strengths[to]!;
  let even: Move[] | null = null;
  let closest: { readonly moves: Move[]; readonly left: number } | null = null;
  for (const shape of shapesOf(rule.mostMoved ?? mostExchanged)) {
    const found = exchange(candidates(going), candidates(coming), ahead, shape);
    if (!found || found.left >= ahead * (1 - slack)) continue;
    const moves = [
      ...found.going.map((playerId) => ({ playerId, from, to })),
      ...found.coming.map((playerId) => ({ playerId, from: to, to: from })),
    ];
    if (swings(moves)) continue;
    if (settles(moves)) return moves;
    if (!even && !findByWeight(afterMoves(roster, moves), rule)) even = moves;
    if (!closest || found.left < closest.left * (1 - slack)) closest = { moves, left: found.left };
  }
  return even ?? closest?.moves ?? null;
}

/** The players of whom some swap with one other brings the teams closer. */
function usefulCandidates(
  roster: Roster,
  rule: WeightRule,
  { from, to, strengths }: Imbalance,
  [going, coming]: Both,
): string[] {
  const worth = worthByRule(roster, rule);
  const ahead = strengths[from]! - strengths[to]!;
  const helps = (one: TeamPlayer, other: TeamPlayer): boolean => {
    const more = worth(one) - worth(other);
    return more > 0 && more < ahead;
  };
  const waited = [
    ...going.filter((one) => coming.some((other) => helps(one, other))),
    ...coming.filter((other) => going.some((one) => helps(one, other))),
  ];
  const living = waited.filter(({ alive }) => alive !== false);
  return (living.length > 0 ? living : [...going, ...coming]).map(({ playerId }) => playerId);
}
