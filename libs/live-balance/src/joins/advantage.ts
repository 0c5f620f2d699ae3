import { message, shown, Unsolvable, type BalanceTerms, type Message, type TeamParam } from '@muster/domain';
import {
  checkRoster,
  isPlaying,
  largest,
  sizesOf,
  smallest,
  strengthsOf,
  teamParam,
  type Roster,
} from '../roster/roster.js';
import type { Policy } from '../policy.js';
import { raisedBy, sharesBy } from '../worth.js';

/** What a game can change to help a team, with the operator's limit. */
export type Lever = BalanceTerms['levers'][number];

/** The setting of one lever. */
export interface LeverAdvice {
  readonly kind: Lever['kind'];
  /** The team that the lever applies to: the weaker one's scale, the stronger one's respawn. */
  readonly team: number;
  /** A factor (damage, shield), or seconds (respawn). */
  readonly value: number;
  /** Its share of the factor between the teams; the shares multiply. */
  readonly covers: number;
  /** Whether the operator's limit was reached. */
  readonly atLimit: boolean;
  readonly why: readonly Message[];
}

export interface Advantage {
  /** "Give Red 1.1": the factor that makes each team as strong as the strongest; null for a team without players. */
  readonly factors: readonly (number | null)[];
  readonly strongest: number;
  readonly weakest: number;
  /** The weakest team's factor; at least 1. null where a team has no strength to multiply. */
  readonly factor: number | null;
  /** Settings of the levers between the strongest and the weakest team, in the given order. */
  readonly advice: readonly LeverAdvice[];
  /** The part of the factor that they leave; 1 is nothing. */
  readonly left: number;
  /** Added to every rating, where one is negative (`zeroOf`); else 0, or 1 where all are 0. */
  readonly shift: number;
  readonly why: readonly Message[];
}

/**
 * The remaining advantage of a team (L5) by a policy: the factor for the weaker one, from the sums of the present players'
 * ratings, raised where one is negative, bots with their own, and the settings of levers that cover it. Levers apply in the
 * given order, each up to its limit, until the factor is covered. The server decides what to do.
 *
 * Damage and shields scale a player's strength directly. A player with respawn delay r and mean lifetime L is present for L
 * / (L + r) of the time; so the delay that weakens a team by f is f·(L + r) − L.
 *
 * Source: residual imbalance in the team balancing for Unreal Tournament (CUT).
 *
 * @throws Unsolvable when the roster is invalid, has fewer than two teams, or a lever has no valid limit
 */
export function handicap(roster: Roster, policy: Pick<Policy, 'rules' | 'levers'>): Advantage {
  const { levers } = policy;
  checkRoster(roster);
  levers.forEach(checkLever);
  if (roster.teams < 2)
    throw new Unsolvable('A game without teams has no advantage; give a roster of two teams or more.', {});
  const sums = strengthsOf(roster, sharesBy(roster, policy));
  const strongest = largest(sums);
  const weakest = smallest(sums);
  const top = sums[strongest]!;
  const factors = sums.map((sum) => (sum > 0 ? top / sum : top === 0 && sum === 0 ? 1 : null));
  const factor = factors[weakest]!;
  const found = { factors, strongest, weakest, factor, shift: raisedBy(roster) };
  const names = { strong: teamParam(roster, strongest), weak: teamParam(roster, weakest) };
  if (!roster.players.some(isPlaying) || factor === 1)
    return { ...found, factor: 1, advice: [], left: 1, why: [message('advantage.even')] };
  if (factor === null) {
    const code = sizesOf(roster)[weakest] === 0 ? 'advantage.no-players' : 'advantage.no-strength';
    return { ...found, advice: [], left: Infinity, why: [message(code, { team: names.weak })] };
  }
  const { advice, left } = turnAll(levers, factor, strongest, weakest, names);
  const rest = levers.length > 0 && left > 1.005 ? shown(left) : null;
  return {
    ...found,
    advice,
    left,
    why: [message('advantage.factor', { ...names, factor: shown(factor), left: rest })],
  };
}

interface TeamNames {
  readonly strong: TeamParam;
  readonly weak: TeamParam;
}

/** Applies the levers in order, each up to its limit, until the factor is covered. */
function turnAll(
  levers: readonly Lever[],
  factor: number,
  strongest: number,
  weakest: number,
  names: TeamNames,
): { readonly advice: readonly LeverAdvice[]; readonly left: number } {
  const advice: LeverAdvice[] = [];
  let left = factor;
  for (const lever of levers) {
    const turned = turn(lever, left, strongest, weakest, names);
    if (!turned) continue;
    advice.push(turned);
    left = Math.max(1, left / turned.covers);
  }
  return { advice, left };
}

function checkLever(lever: Lever): void {
  if (lever.kind === 'respawn') {
    const { usualSeconds, mostSeconds, meanLifeSeconds } = lever;
    if (!(usualSeconds >= 0 && Number.isFinite(mostSeconds) && mostSeconds >= usualSeconds))
      throw new Unsolvable('The lever respawn needs 0 ≤ usualSeconds ≤ mostSeconds.', { lever });
    if (!(Number.isFinite(meanLifeSeconds) && meanLifeSeconds > 0))
      throw new Unsolvable('The lever respawn needs meanLifeSeconds above 0.', { lever });
  } else if (!(Number.isFinite(lever.most) && lever.most >= 1))
    throw new Unsolvable(`The lever ${lever.kind} needs a limit \`most\` of at least 1, such as 1.2.`, {
      lever,
    });
}

/** @returns null when nothing has to change */
function turn(
  lever: Lever,
  left: number,
  strongest: number,
  weakest: number,
  names: TeamNames,
): LeverAdvice | null {
  const most =
    lever.kind === 'respawn'
      ? (lever.meanLifeSeconds + lever.mostSeconds) / (lever.meanLifeSeconds + lever.usualSeconds)
      : lever.most;
  const covers = Math.min(left, most);
  if (covers <= 1) return null;
  const found = { covers, atLimit: covers === most };
  if (lever.kind !== 'respawn') {
    const { kind } = lever;
    const code = kind === 'damage' ? 'advantage.damage' : 'advantage.shield';
    const why = message(code, { weak: names.weak, factor: shown(covers) });
    return { ...found, kind, team: weakest, value: covers, why: [why, message('advantage.not-in-one-hit')] };
  }
  const { kind, usualSeconds, mostSeconds, meanLifeSeconds } = lever;
  const value = found.atLimit ? mostSeconds : covers * (meanLifeSeconds + usualSeconds) - meanLifeSeconds;
  const [seconds, usual] = [shown(value), shown(usualSeconds)];
  const why = message('advantage.respawn', { strong: names.strong, seconds, usual });
  return { ...found, kind, team: strongest, value, why: [why, message('advantage.only-the-dead')] };
}
