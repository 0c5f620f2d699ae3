import type { SkillBelief } from '@muster/domain';
import { shiftTeam, totalOf, type TeamShift } from '../gaussian-team.js';
import { logisticToNormal } from '../maths/logistic.js';
import type { Contest, Ranks } from '../model.js';
import { pairShifts, type Pairing } from './pairs.js';
import type { TwoTeamUpdate } from './two-teams.js';

/** The parameters of an OpenSkill variant, as rating uses them. */
export interface OpenSkillSettings {
  readonly mu: number;
  readonly sigma: number;
  readonly beta: number;
  readonly tauSquared: number;
  readonly kappa: number;
  readonly sigmaFloor: number;
  readonly epsilon: number;
  /** The update of two teams. */
  readonly twoTeams: TwoTeamUpdate;
}

/** The value of each team's odds in the unit of the means: the same in prediction and rating. */
export function handicapsOf(
  { teams, weights, odds }: Contest<SkillBelief>,
  beta: number,
  tauAdded: number,
): number[] {
  if (!odds) return teams.map(() => 0);
  const totals = teams.map((team, t) => totalOf(team, weights?.[t], tauAdded));
  const noise = totals.reduce((sum, { variance }) => sum + variance + beta * beta, 0);
  // Of two teams this is the c of their meeting; of more, that of two average ones.
  const c = Math.sqrt((2 * noise) / teams.length);
  return odds.map((each) => each * logisticToNormal * c);
}

/** Rates a match of two teams in closed form. */
export function rateTwo(
  settings: OpenSkillSettings,
  contest: Contest<SkillBelief>,
  [one = 1, other = 1]: Ranks,
): SkillBelief[][] {
  const { beta, tauSquared, kappa, sigmaFloor, twoTeams } = settings;
  const { teams, weights, odds } = contest;
  const [first = [], second = []] = teams;
  const a = totalOf(first, weights?.[0], tauSquared);
  const b = totalOf(second, weights?.[1], tauSquared);
  const outcome = one < other ? 1 : one > other ? 0 : 0.5;
  const [up = 0, down = 0] = odds ? handicapsOf(contest, beta, tauSquared) : [];
  const [shiftA, shiftB] = twoTeams(
    up === 0 ? a : { mu: a.mu + up, variance: a.variance },
    down === 0 ? b : { mu: b.mu + down, variance: b.variance },
    outcome,
  );
  return [
    shiftTeam(first, weights?.[0], tauSquared, shiftA, kappa, sigmaFloor),
    shiftTeam(second, weights?.[1], tauSquared, shiftB, kappa, sigmaFloor),
  ];
}

/** Rates a match of several teams as pairs of two. */
export function ratePairs(
  settings: OpenSkillSettings,
  contest: Contest<SkillBelief>,
  ranks: Ranks,
  pairing: Pairing,
): SkillBelief[][] {
  const { beta, tauSquared, kappa, sigmaFloor, twoTeams } = settings;
  const { teams, weights } = contest;
  const handicaps = handicapsOf(contest, beta, tauSquared);
  const totals = teams.map((team, t) => {
    const total = totalOf(team, weights?.[t], tauSquared);
    return { mu: total.mu + (handicaps[t] ?? 0), variance: total.variance };
  });
  const shifts = pairShifts(totals, ranks, pairing, twoTeams);
  return teams.map((team, t) =>
    shiftTeam(team, weights?.[t], tauSquared, shifts[t] as TeamShift, kappa, sigmaFloor),
  );
}
