import type { BehaviourKind } from './behaviour.js';
import type { MatchRoster } from '../matches/match-roster.js';

/** Whether a player may report another one after a match. */
export type JudgedReport =
  /** `sameParty`: they came on one ticket. `party`: that of the reporter in this match; null: they queued alone. */
  | { readonly outcome: 'allowed'; readonly sameParty: boolean; readonly party: number | null }
  | {
      readonly outcome: 'not-in-match' | 'themselves' | 'stranger' | 'opponent' | 'not-over' | 'never-played';
    };

/**
 * Team-mates report team-mates, and opponents for cheating, after a match that was played.
 *
 * @param roster null: there is no such match
 */
export function judgeReport(
  roster: MatchRoster | null,
  reporter: string,
  reported: string,
  kind: BehaviourKind,
): JudgedReport {
  const by = roster?.players.find((player) => player.playerId === reporter);
  if (!roster || !by) return { outcome: 'not-in-match' };
  if (reporter === reported) return { outcome: 'themselves' };
  const of = roster.players.find((player) => player.playerId === reported);
  if (!of) return { outcome: 'stranger' };
  if (of.team !== by.team && kind !== 'cheating') return { outcome: 'opponent' };
  const { state, placed } = roster;
  if (state === 'formed' || state === 'placed') return { outcome: 'not-over' };
  if (state === 'abandoned' && !placed) return { outcome: 'never-played' };
  const sameParty = by.ticketId !== null && by.ticketId === of.ticketId;
  return { outcome: 'allowed', sameParty, party: partyOf(roster, by.ticketId) };
}

/** The number of a party among those of its match, from 1; null for a ticket of one player. */
function partyOf({ players }: MatchRoster, ticketId: string | null): number | null {
  const parties = [...new Set(players.map((player) => player.ticketId))]
    .filter((id) => players.filter((player) => player.ticketId === id).length > 1)
    .flatMap((id) => (id === null ? [] : [id]))
    .toSorted();
  const place = ticketId === null ? -1 : parties.indexOf(ticketId);
  return place === -1 ? null : place + 1;
}
