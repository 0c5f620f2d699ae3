import { readOffences, RulesOfMatch } from '@muster/contracts';
import { type Sql, sqlPart } from '@muster/db';
import type {
  AskingSession,
  BackfillFacts,
  BackfillRequest,
  FillableMatch,
  FillablePlayer,
  HostedBackfill,
  SessionFacts,
  TakenFacts,
  TakenSeat,
} from '@muster/domain';

/** A row of `backfill` with who took its seats, as JSON. */
const backfillJson = sqlPart`jsonb_build_object('backfillId', backfill.id, 'sessionId', backfill.session_id,
  'matchId', backfill.match_id, 'team', backfill.team, 'seats', backfill.seats, 'seatsLeft', backfill.seats_left,
  'state', backfill.state, 'fingerprint', backfill.fingerprint,
  'requestedAt', floor(extract(epoch FROM backfill.requested_at) * 1000),
  'expiresAt', floor(extract(epoch FROM backfill.expires_at) * 1000),
  'playerIds', coalesce((SELECT jsonb_agg(player_id ORDER BY player_id) FROM match_player
    WHERE match_player.match_id = backfill.match_id AND match_player.backfill_id = backfill.id), '[]'))`;

/** Columns of `match` that decisions on backfills read, and its players. */
const matchColumns = sqlPart`match.queue, match.build, match.region, match.map, match.bots, match.blame, match.rules, (
  SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id, 'mu', mu, 'role', role,
    'backfillId', backfill_id, 'finishedAt', floor(extract(epoch FROM finished_at) * 1000), 'leftAt', floor(extract(epoch FROM left_at) * 1000)) ORDER BY player_id)
  FROM match_player WHERE match_player.match_id = match.id) AS players`;

type MatchRow = Omit<FillableMatch, 'matchId' | 'blame' | 'rules' | 'players'> & {
  readonly blame: unknown;
  readonly rules: unknown;
  readonly players: FillablePlayer[] | null;
};

function asMatch(matchId: string, { queue, build, region, map, bots, ...row }: MatchRow): FillableMatch {
  const { data: rules = null } = RulesOfMatch.safeParse(row.rules);
  const blame = readOffences(row.blame);
  return { matchId, queue, build, region, map, bots, blame, rules, players: row.players ?? [] };
}

/** Reads what decides on a request for players. The caller holds the session's lock. */
export async function readAsking(
  tx: Sql,
  session: SessionFacts,
  { backfillId, team }: BackfillRequest,
): Promise<AskingSession> {
  const { sessionId, matchId } = session;
  const [row] = await tx.$queryRaw<(MatchRow & { known: BackfillFacts | null; offered: number })[]>`
    SELECT ${matchColumns},
      (SELECT ${backfillJson} FROM backfill WHERE backfill.id = ${backfillId}) AS known,
      (SELECT coalesce(sum(seats_left), 0)::int FROM backfill
        WHERE session_id = ${sessionId} AND team = ${team}::int AND backfill.state = 'open') AS offered
    FROM match WHERE match.id = ${matchId}`;
  if (!row) throw new Error(`there is no match ${matchId}`);
  return { session, known: row.known, match: asMatch(matchId, row), offered: row.offered };
}

/**
 * Reads what decides on seats that were taken, and locks the backfill, so that the matcher is not told to look for players after it
 * was told that the backfill is closed. The caller holds the session's lock.
 */
export async function holdTaken(
  tx: Sql,
  session: SessionFacts,
  { proposalId, backfillId }: TakenSeat,
): Promise<TakenFacts> {
  const { sessionId, matchId } = session;
  const [row] = await tx.$queryRaw<(MatchRow & { backfill: BackfillFacts; ordered: boolean })[]>`
    SELECT ${matchColumns}, ${backfillJson} AS backfill,
      EXISTS (SELECT 1 FROM command WHERE session_id = ${sessionId} AND kind = 'add-players'
        AND payload->>'proposalId' = ${proposalId}) AS ordered
    FROM backfill JOIN match ON match.id = backfill.match_id
    WHERE backfill.id = ${backfillId} FOR UPDATE OF backfill`;
  if (!row) throw new Error(`there is no backfill ${backfillId}`);
  return { session, backfill: row.backfill, match: asMatch(matchId, row), ordered: row.ordered };
}

/** Reads a backfill of a session. @returns null when there is none */
export async function readHosted(
  sql: Sql,
  sessionId: string,
  backfillId: string,
): Promise<HostedBackfill | null> {
  const [row] = await sql.$queryRaw<(Omit<HostedBackfill, 'blame'> & { blame: unknown })[]>`
    SELECT ${backfillJson} AS backfill, session.server_id AS "serverId", match.queue, match.blame
    FROM backfill JOIN session ON session.id = backfill.session_id JOIN match ON match.id = backfill.match_id
    WHERE backfill.id = ${backfillId} AND backfill.session_id = ${sessionId}`;
  return row ? { ...row, blame: readOffences(row.blame) } : null;
}

/** Locks a backfill: its seats and its state stay as they are. */
export async function holdBackfill(tx: Sql, backfillId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM backfill WHERE id = ${backfillId} FOR UPDATE`;
}
