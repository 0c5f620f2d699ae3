import type { MatchView } from '@muster/contracts';

const columns = [
  'match_id',
  'origin',
  'external_id',
  'pool',
  'queue',
  'state',
  'formed_at',
  'placed_at',
  'ended_at',
  'closed_at',
  'server_id',
  'player_id',
  'team',
  'rank',
  'predicted',
  'waited_ms',
  'mu_before',
  'sigma_before',
  'mu_after',
  'sigma_after',
  'build',
  'region',
  'map',
  'ticket_id',
  'role',
  'joined_at',
  'left_at',
  'score',
  'stats',
] as const;

const time = (at: number | null): string => (at === null ? '' : new Date(at).toISOString());

/** A field by RFC 4180; a field that a spreadsheet would run as a formula is neutralised. */
function field(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvHead = `${columns.join(',')}\r\n`;

/** One row per player. */
export function csvRows(match: MatchView): string {
  return match.players
    .map(({ playerId, team, waitedMs, before, after, ticketId, role, joinedAt, leftAt, stats }) =>
      [
        match.matchId,
        match.origin,
        match.externalId,
        match.pool,
        match.queue,
        match.state,
        time(match.formedAt),
        time(match.placedAt),
        time(match.endedAt),
        time(match.closedAt),
        match.serverId,
        playerId,
        team,
        match.ranks[team] ?? null,
        match.prediction[team] ?? null,
        waitedMs,
        before?.mu ?? null,
        before?.sigma ?? null,
        after?.mu ?? null,
        after?.sigma ?? null,
        match.build,
        match.region,
        match.map,
        ticketId,
        role,
        time(joinedAt),
        time(leftAt),
        match.scores?.[team] ?? null,
        stats ? JSON.stringify(stats) : null,
      ]
        .map(field)
        .join(','),
    )
    .map((row) => `${row}\r\n`)
    .join('');
}
