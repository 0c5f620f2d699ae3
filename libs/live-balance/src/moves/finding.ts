import { message, shown, type BalanceRuleOf } from '@muster/domain';
import { mayMoveNow, noCandidates, type Choice, type Guards, type Imbalance } from './imbalance.js';
import {
  compareText,
  largest,
  movableFrom,
  sizesOf,
  smallest,
  spread,
  strengthsOf,
  teamParam,
  type Roster,
  type TeamPlayer,
} from '../roster/roster.js';
import { worthByRule } from '../worth.js';

/** Sector's Edge: sizes by a table, strength by powers, one player at a time, after a delay, on their death. */
export type PowersRule = BalanceRuleOf<'powers'>;

/** Whether sizes alone are unbalanced. */
export function sizesUnbalanced(larger: number, smaller: number, sizes: PowersRule['sizes']): boolean {
  if (sizes === 'difference') return larger - smaller >= 2;
  return (larger >= 2 && smaller === 0) || (larger >= 3 && smaller <= 1) || (larger >= 4 && smaller <= 2);
}

/**
 * When teams are unbalanced (L7): by size, which wins when the larger team is the weaker one; else by power. With more than
 * two teams, the largest is compared with the smallest, the strongest with the weakest. Exemptions are checked elsewhere.
 *
 * Source: the autobalance of Sector's Edge. It also exempts sizes that differ by at most one; read to the letter, power
 * would never count in even games, so that exempts from the rule of sizes only, unless `strictSizes` says otherwise.
 *
 * @returns null when they are balanced
 */
export function findByPowers(roster: Roster, rule: PowersRule): Imbalance | null {
  const sizes = sizesOf(roster);
  if (rule.strictSizes && spread(sizes) <= 1) return null;
  const strengths = strengthsOf(roster, worthByRule(roster, rule));
  const larger = largest(sizes);
  const smaller = smallest(sizes);
  if (sizesUnbalanced(sizes[larger]!, sizes[smaller]!, rule.sizes)) {
    const why = [message('balance.sizes', { larger: sizes[larger]!, smaller: sizes[smaller]! })];
    return { by: 'size', from: larger, to: smaller, sizes, strengths, why };
  }
  if (spread(strengths) < rule.leastPower) return null;
  const from = largest(strengths);
  const to = smallest(strengths);
  const why = [
    message('balance.much-stronger', {
      from: teamParam(roster, from),
      to: teamParam(roster, to),
      strength: shown(strengths[from]!),
      against: shown(strengths[to]!),
    }),
  ];
  return { by: 'power', from, to, sizes, strengths, why };
}

/**
 * Chooses the moved player (L8): of those who may leave their team, ordered by points, the lowest share (none where that
 * rounds to none) and all with as few points as the last of it; nobody whose move would put the other team ahead by
 * `leastPower` or more, or make it too large. Of the remaining players who may be moved now, the one who leaves powers most
 * even; of equals the one with the fewest points.
 *
 * Source: the autobalance of Sector's Edge. Its code tests the wrong player's party while it lists the team; its prose is
 * followed. It lets the other team be ahead by exactly 10, which would call for the next move at once.
 */
export function chooseByPowers(
  roster: Roster,
  rule: PowersRule,
  { from, to, strengths }: Imbalance,
  { movedBefore, swings }: Guards,
): Choice {
  const eligible = movableFrom(roster, from, movedBefore).toSorted(
    (a, b) => (a.points ?? 0) - (b.points ?? 0) || compareText(a.playerId, b.playerId),
  );
  if (eligible.length === 0) return { outcome: 'nobody-fits', why: [noCandidates(roster, from)] };
  const last = eligible[Math.floor(rule.lowestShare * eligible.length) - 1];
  // Players with no more points than the last of the share have the same rank, whatever their names.
  const lowest = last ? eligible.filter(({ points = 0 }) => points <= (last.points ?? 0)) : [];
  if (lowest.length === 0)
    return { outcome: 'nobody-fits', why: [message('balance.best-stay', { from: teamParam(roster, from) })] };
  const power = worthByRule(roster, rule);
  const aheadAfter = (player: TeamPlayer): number => strengths[to]! - strengths[from]! + 2 * power(player);
  const fits = lowest.filter(
    (player) => aheadAfter(player) < rule.leastPower && !swings([{ playerId: player.playerId, from, to }]),
  );
  if (fits.length === 0)
    return { outcome: 'nobody-fits', why: [message('balance.too-strong', { to: teamParam(roster, to) })] };
  // Ties in power keep the order by points.
  const best = mayMoveNow(rule, fits).toSorted(
    (a, b) => Math.abs(aheadAfter(a)) - Math.abs(aheadAfter(b)),
  )[0];
  if (!best) return { outcome: 'waits', forOneOf: fits.map(({ playerId }) => playerId) };
  return { outcome: 'moves', moves: [{ playerId: best.playerId, from, to }], exact: true };
}
