import type { MatchView } from '@muster/contracts';

type Value = string | number | null;

/** A field by RFC 4180; a field that a spreadsheet would run as a formula is neutralised. */
function field(value: Value): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The columns of the export, in order. */
const columns: readonly (readonly [
  name: string,
  of: (match: MatchView, player: MatchView['players'][number]) => Value,
])[] = [
  ['match_id', ({ matchId }) => matchId],
  ['origin', ({ origin }) => origin],
  ['external_id', ({ externalId }) => externalId],
  ['pool', ({ pool }) => pool],
  ['queue', ({ queue }) => queue],
  ['state', ({ state }) => state],
  ['formed_at', ({ formedAt }) => time(formedAt)],
  ['placed_at', ({ placedAt }) => time(placedAt)],
  ['ended_at', ({ endedAt }) => time(endedAt)],
  ['closed_at', ({ closedAt }) => time(closedAt)],
  ['server_id', ({ serverId }) => serverId],
  ['player_id', (_, { playerId }) => playerId],
  ['team', (_, { team }) => team],
  ['rank', ({ ranks }, { team }) => ranks[team] ?? null],
  ['predicted', ({ prediction }, { team }) => prediction[team] ?? null],
  ['waited_ms', (_, { waitedMs }) => waitedMs],
  ['mu_before', (_, { before }) => before?.mu ?? null],
  ['sigma_before', (_, { before }) => before?.sigma ?? null],
  ['mu_after', (_, { after }) => after?.mu ?? null],
  ['sigma_after', (_, { after }) => after?.sigma ?? null],
  ['build', ({ build }) => build],
  ['region', ({ region }) => region],
  ['map', ({ map }) => map],
  ['ticket_id', (_, { ticketId }) => ticketId],
  ['role', (_, { role }) => role],
  ['joined_at', (_, { joinedAt }) => time(joinedAt)],
  ['left_at', (_, { leftAt }) => time(leftAt)],
  ['score', ({ scores }, { team }) => scores?.[team] ?? null],
  ['stats', (_, { stats }) => (stats ? JSON.stringify(stats) : null)],
];

export const csvHead = `${columns.map(([name]) => name).join(',')}\r\n`;

/** One row per player. */
export function csvRows(match: MatchView): string {
  return match.players
    .map((player) => `${columns.map(([, of]) => field(of(match, player))).join(',')}\r\n`)
    .join('');
}
