import type { BackfillView } from '../matches/backfill.js';
import type { MatchOffence } from '../schemas/offences.js';
import type { OpenBackfill } from '../schemas/open-backfill.js';
import type { RosterEntry } from '../match-life/state.js';

/** A backfill as decisions read it. */
export interface BackfillFacts extends BackfillView {
  readonly fingerprint: string;
}

/** A player of a match that may be filled up. */
export interface FillablePlayer extends RosterEntry {
  /** Rating mean that the player counts for in the match. */
  readonly mu: number;
  readonly role: string | null;
  /** The backfill that the player came by; null for those who were there from the beginning. */
  readonly backfillId: string | null;
  readonly leftAt: number | null;
  readonly finishedAt?: number | null | undefined;
}

/** Of the rules of a match: what filling it up depends on. */
export type FillRules = OpenBackfill['rules'] & {
  /** Places on each team, bots included. */
  readonly teamSize: number;
  /** Absent: the match is not filled up. */
  readonly backfill?: { readonly seconds: number } | undefined;
  readonly massBlameShare?: number | undefined;
};

/** A match that is played, with its players in the order of their ids. */
export interface FillableMatch {
  readonly matchId: string;
  readonly queue: string | null;
  readonly build: string | null;
  readonly region: string | null;
  readonly map: string | null;
  /** How many places of each team bots take. */
  readonly bots: readonly number[];
  readonly blame: readonly MatchOffence[];
  /** Null: rules that do not know of backfills. */
  readonly rules: FillRules | null;
  readonly players: readonly FillablePlayer[];
}

/** The backfill as its server sees it. */
export function backfillViewOf({ fingerprint: _fingerprint, ...view }: BackfillFacts): BackfillView {
  return view;
}

/** The players of a match who did not leave, by team. */
export function teamsOf({ players }: FillableMatch, teams: number): OpenBackfill['teams'] {
  return Array.from({ length: teams }, (_, team) =>
    players
      .filter((player) => player.team === team && player.leftAt === null)
      .map(({ playerId, mu, role }) => ({ playerId, mu, ...(role === null ? {} : { role }) })),
  );
}

/** The backfill as the matcher sees it. */
export function openBackfillOf(
  backfill: Pick<BackfillView, 'backfillId' | 'team' | 'seatsLeft' | 'requestedAt' | 'expiresAt'>,
  match: FillableMatch,
  { teamSize: _size, backfill: _backfill, massBlameShare: _share, ...rules }: FillRules,
): OpenBackfill {
  const { backfillId, team, seatsLeft, requestedAt, expiresAt } = backfill;
  const { matchId, queue, build, region, map, players } = match;
  return {
    backfillId,
    matchId,
    queue: queue ?? '',
    build: build ?? '',
    region: region ?? '',
    map,
    team,
    seats: seatsLeft,
    teams: teamsOf(match, rules.teams),
    everybody: players.map(({ playerId }) => playerId),
    rules,
    requestedAt,
    expiresAt,
  };
}
