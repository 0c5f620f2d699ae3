import type { BehaviourReport, ReportOutcome } from '../behaviour.js';
import type { MatchRoster } from '../match-roster.js';
import type { StandingDecision } from './decision.js';

/** Whether a player may report another one after a match. */
export type TeamMates =
  /** `sameParty`: they came on one ticket. */
  | { readonly outcome: 'team-mates'; readonly sameParty: boolean }
  | { readonly outcome: 'not-in-match' | 'themselves' | 'not-on-team' | 'not-over' | 'never-played' };

/**
 * Team-mates report team-mates, after a match that was played.
 *
 * @param roster null: there is no such match
 */
export function judgeTeamMates(roster: MatchRoster | null, reporter: string, reported: string): TeamMates {
  const by = roster?.players.find((player) => player.playerId === reporter);
  if (!roster || !by) return { outcome: 'not-in-match' };
  if (reporter === reported) return { outcome: 'themselves' };
  const of = roster.players.find((player) => player.playerId === reported);
  if (of?.team !== by.team) return { outcome: 'not-on-team' };
  const { state, placed } = roster;
  if (state === 'formed' || state === 'placed') return { outcome: 'not-over' };
  if (state === 'abandoned' && !placed) return { outcome: 'never-played' };
  return { outcome: 'team-mates', sameParty: by.ticketId !== null && by.ticketId === of.ticketId };
}

/**
 * A player reports another one. The first report of a match, a reporter and a reported player counts and stays.
 *
 * @param first null: none yet
 */
export function decideBehaviourReport(
  first: Pick<BehaviourReport, 'kind'> | null,
  report: BehaviourReport,
): StandingDecision<ReportOutcome, BehaviourReport> {
  if (!first) return { outcome: 'counted', changes: report };
  return { outcome: first.kind === report.kind ? 'repeat' : 'contradicts', changes: null };
}
