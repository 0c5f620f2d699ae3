import type { SkillBelief } from '@muster/domain';
import { shiftTeam, type TeamShift } from '../gaussian-team.js';
import { outcomeBetween } from '../contest.js';
import { teamScores, weighedOutcome } from '../margin.js';
import type { Contest, Ranks } from '../model.js';
import { pairShifts, type Pairing } from './pairs.js';
import { performanceOf, withOdds, type PerformanceSettings, type TeamPerformance } from './performance.js';
import { rankingShifts } from './ranking.js';
import type { TwoTeamUpdate } from './two-teams.js';

/** The parameters of an OpenSkill variant, as rating uses them. */
export interface OpenSkillSettings extends PerformanceSettings {
  readonly mu: number;
  readonly sigma: number;
  readonly tauSquared: number;
  readonly kappa: number;
  readonly sigmaFloor: number;
  /** The update of two teams. */
  readonly twoTeams: TwoTeamUpdate;
  /** Of two teams, the score lead that counts as odds of e to 1; 0 ignores scores. */
  readonly margin: number;
  /** The comparisons of several teams; null: the ranking is rated place by place. */
  readonly pairing: Pairing | null;
}

/** Rates a match of two teams in closed form. */
export function rateTwo(
  settings: OpenSkillSettings,
  contest: Contest<SkillBelief>,
  [one = 1, other = 1]: Ranks,
): SkillBelief[][] {
  const { tauSquared, kappa, sigmaFloor, twoTeams, margin } = settings;
  const { teams, weights, odds } = contest;
  const [first = [], second = []] = teams;
  const a = performanceOf(first, weights?.[0], tauSquared, settings);
  const b = performanceOf(second, weights?.[1], tauSquared, settings);
  const byRank = outcomeBetween(one, other);
  const scores = margin > 0 ? teamScores(contest) : null;
  const outcome = scores ? weighedOutcome(byRank, (scores[0] ?? 0) - (scores[1] ?? 0), margin) : byRank;
  const [shiftA, shiftB] = odds ? updateWithOdds(settings, a, b, odds, outcome) : twoTeams(a, b, outcome);
  return [
    shiftTeam(first, weights?.[0], tauSquared, shiftA, kappa, sigmaFloor),
    shiftTeam(second, weights?.[1], tauSquared, shiftB, kappa, sigmaFloor),
  ];
}

function updateWithOdds(
  { twoTeams }: OpenSkillSettings,
  first: TeamPerformance,
  second: TeamPerformance,
  odds: readonly number[],
  outcome: number,
): ReturnType<TwoTeamUpdate> {
  const [up = first, down = second] = withOdds([first, second], odds);
  return twoTeams(up, down, outcome);
}

/** Rates a match of several teams. */
export function rateMany(
  settings: OpenSkillSettings,
  { teams, weights, odds }: Contest<SkillBelief>,
  ranks: Ranks,
): SkillBelief[][] {
  const { tauSquared, kappa, sigmaFloor, twoTeams, pairing } = settings;
  const performances: readonly TeamPerformance[] = withOdds(
    teams.map((team, t) => performanceOf(team, weights?.[t], tauSquared, settings)),
    odds,
  );
  const shifts =
    pairing === null
      ? rankingShifts(performances, ranks)
      : pairShifts(performances, ranks, pairing, twoTeams);
  return teams.map((team, t) =>
    shiftTeam(team, weights?.[t], tauSquared, shifts[t] as TeamShift, kappa, sigmaFloor),
  );
}
