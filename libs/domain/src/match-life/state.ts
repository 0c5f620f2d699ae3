import type { TicketSeats } from '../backfill-life/changes.js';
import type { MatchState } from '../matches/match.js';
import type { PlayingTime } from '../matches/playing-time.js';
import type { SessionState } from '../servers/server.js';
import type { MatchOffence } from '../schemas/offences.js';

/** A session in the form that decisions read. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly matchId: string;
  readonly serverId: string;
  /** The registration of the server that the session belongs to. */
  readonly incarnation: number;
  readonly state: SessionState;
  /** When its server reported that players may connect; null before. */
  readonly liveAt: number | null;
}

/** A player's place in a match. */
export interface RosterEntry {
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string | null;
}

/** A player of a match, with their times in it. */
export interface RosteredPlayer extends PlayingTime, RosterEntry {
  /** Since when they may leave the match, which goes on: see {@link mayLeave}; null or absent: they may not. */
  readonly finishedAt?: number | null | undefined;
}

/** A match in the form that decisions read; some need no times. */
export interface MatchFacts<Player extends RosterEntry = RosteredPlayer> {
  readonly matchId: string;
  readonly state: MatchState;
  readonly queue: string | null;
  /** Players whom its server has blamed so far. */
  readonly blame: readonly MatchOffence[];
  readonly players: readonly Player[];
  /** Of the rules of the match: more blamed players than this share are not penalised; null or absent: the default. */
  readonly massBlameShare?: number | null | undefined;
  /** Of the rules of the match: see {@link decideLoss}; null or absent: the default. */
  readonly crashRequeueSeconds?: number | null | undefined;
  /** Of the rules of the match: how long a ticket waits; null or absent: not known. */
  readonly ticketTtlSeconds?: number | null | undefined;
  /** Seats of running matches that their server has not confirmed yet; absent: none. */
  readonly outstanding?: readonly TicketSeats[] | undefined;
}

/** The players of a match. */
export interface Roster {
  readonly players: readonly RosterEntry[];
}

/** The tickets of a match, without duplicates. */
export function ticketsOf({ players }: Roster): { ticketId: string; team: number }[] {
  const teams = new Map<string, number>();
  for (const { ticketId, team } of players)
    if (ticketId !== null && !teams.has(ticketId)) teams.set(ticketId, team);
  return [...teams].map(([ticketId, team]) => ({ ticketId, team }));
}

export function ticketIdsOf(match: Roster): string[] {
  return ticketsOf(match).map(({ ticketId }) => ticketId);
}

/** The names that belong to no player of the match, without duplicates. */
export function notInMatch(named: readonly string[], { players }: Roster): string[] {
  const known = new Set(players.map(({ playerId }) => playerId));
  return [...new Set(named)].filter((id) => !known.has(id));
}
