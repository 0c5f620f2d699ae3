import { Unsolvable } from '@muster/domain';
import { absentBot, idealBots, teamsAtStart, type BotPlan, type BotRules, type Start } from './bots.js';
import type { Policy } from '../policy.js';
import type { Roster } from '../roster/roster.js';
import { seated, sharesBy, withWorth } from '../worth.js';

/** A server that sends no bot settings wants bots only to even teams out. */
const noBots: BotRules = { minPlayers: 0 };

/** The target number of bots beside the players on teams, by a policy. @throws Unsolvable see `idealBots` */
export function planned(roster: Roster, { placement }: Pick<Policy, 'placement'>): BotPlan {
  return idealBots(roster, placement.bots ?? noBots);
}

/** Teams at the start of a game, and their bots. */
export interface PlannedStart {
  readonly start: Omit<Extract<Start, { outcome: 'teams' }>, 'outcome'>;
  /** For the starting teams, including players on none yet. */
  readonly plan: BotPlan;
}

/**
 * Teams at the start of a game, by a policy, and the target number of bots: computed once, so that plan and teams have the
 * same bots.
 *
 * @param seed seeds the draw of one of the best
 * @throws Unsolvable when the roster is invalid, or has no such teams
 */
export function started(roster: Roster, policy: Policy, seed: number): PlannedStart {
  const { placement } = policy;
  const everybody = seated(roster);
  const counted = withWorth(everybody, sharesBy(everybody, policy));
  const found = teamsAtStart(counted, { ...policy.start, bots: placement.bots, seed });
  if (found.outcome === 'refused') throw new Unsolvable(found.detail, {});
  const { outcome: _, ...start } = found;
  const teamOf = new Map(start.teams.flatMap((ids, team) => ids.map((id) => [id, team] as const)));
  const then: Roster = {
    ...roster,
    players: roster.players.map((player) => ({
      ...player,
      team: teamOf.get(player.playerId) ?? player.team,
    })),
  };
  const plan = planned(then, policy);
  if (placement.bots) return { start, plan };
  const bots = plan.byTeam ?? start.bots;
  const sums = start.sums.map((sum, team) => sum + bots[team]! * absentBot(counted));
  const largest = Math.max(...sums);
  const ratio = largest > 0 ? Math.min(...sums) / largest : start.ratio;
  return { start: { ...start, bots, sums, ratio }, plan };
}
