import { traceHeaders } from '@muster/contracts';
import type { Sql } from '@muster/db';
import { grouped, sessionFacts, sessionPlayers, type KnownPlayer, type ServerCommand } from '@muster/domain';

interface Row extends KnownPlayer {
  readonly sessionId: string;
  readonly trace: string | null;
  readonly tells: unknown;
}

type Told = Pick<ServerCommand, 'kind' | 'sessionId' | 'payload'>;

/** Commands that name players, and where. */
const named = new Map<ServerCommand['kind'], (payload: object) => unknown>([
  ['create-session', (payload) => ('teams' in payload ? payload.teams : [])],
  ['add-players', (payload) => ('playerIds' in payload ? payload.playerIds : [])],
]);

/**
 * Adds to commands the trace of their match, and what the rules let servers know about the players. It is read when a command is delivered, so that names
 * are stored in one place, and erased in one place.
 */
export async function withPlayers<C extends Told>(sql: Sql, commands: readonly C[]): Promise<C[]> {
  const ids = [...new Set(commands.flatMap(({ kind, sessionId }) => (named.has(kind) ? [sessionId] : [])))];
  if (ids.length === 0) return [...commands];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT session.id AS "sessionId", match.rules->'sessionTells' AS tells, match.trace, player_id AS "playerId", ticket_id AS "ticketId",
      mu, sigma, attributes, (SELECT name FROM player_name WHERE player_name.player_id = match_player.player_id) AS name
    FROM session JOIN match ON match.id = session.match_id JOIN match_player ON match_player.match_id = match.id
    WHERE session.id = ANY(${ids}::text[]) ORDER BY player_id`;
  const bySession = grouped(rows, ({ sessionId }) => sessionId);
  return commands.map((command) => {
    const idsIn = named.get(command.kind);
    if (!idsIn) return command;
    const present = new Set([idsIn(command.payload)].flat(2));
    const players = (bySession.get(command.sessionId) ?? []).filter(({ playerId }) => present.has(playerId));
    const told = { ...sessionPlayers(players, tellsOf(players)), ...traceFor(command, players) };
    return { ...command, payload: { ...command.payload, ...told } };
  });
}

/** A server that sends it with its calls continues the trace of the match. */
function traceFor({ kind }: Told, [first]: readonly Row[]): { traceparent?: string } {
  const trace = kind === 'create-session' ? first?.trace : null;
  return trace ? { traceparent: traceHeaders(trace).traceparent } : {};
}

/** What the rules of the match allow; undefined: they do not say. */
function tellsOf([first]: readonly Row[]) {
  const { tells } = first ?? {};
  return Array.isArray(tells) ? sessionFacts.filter((fact) => tells.includes(fact)) : undefined;
}
