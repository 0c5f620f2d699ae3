import { matchEndJobs, writeReason, type OutboxJob } from '@muster/contracts';
import { atomically, type Db, type Tx } from '@muster/db';
import {
  type MatchEvent,
  MatchUnratable,
  message,
  type Played,
  type Rater,
  type RateResult,
  type VoidResult,
  type VoidSaid,
} from '@muster/domain';
import { applyEvent, forgetStrangers, sharePool } from './apply.store.js';
import { newcomersOf } from './newcomers.js';

interface EndedMatch {
  state: string;
  pool: string;
  queue: string | null;
  blame: unknown;
  ranks: number[];
  played: unknown;
  ended_at: Date | null;
  players: { playerId: string; team: number; ticketId: string | null }[] | null;
}

/** Rates an ended match, closes it and frees its players. */
export function rateMatch(db: Db, matchId: string, rater: Rater, now: number): Promise<RateResult> {
  return atomically(db, async (tx): Promise<RateResult> => {
    // The match's row first, then the pool's lock: nobody takes them the other way round.
    const [match] = await tx.$queryRaw<EndedMatch[]>`
      SELECT state, pool, queue, blame, ranks, played, ended_at, (
        SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id) ORDER BY player_id)
        FROM match_player WHERE match_id = match.id) AS players
      FROM match WHERE id = ${matchId} FOR UPDATE`;
    if (!match || match.state === 'formed' || match.state === 'placed') return { outcome: 'not-ended' };
    if (match.state !== 'ended') return { outcome: 'closed' };
    const players = match.players ?? [];
    const event = eventOf(matchId, match, players, now);
    const ticketIds = [...new Set(players.flatMap((p) => (p.ticketId === null ? [] : [p.ticketId])))];
    await sharePool(tx, match.pool);
    let rated: RateResult;
    try {
      rated = { outcome: 'rated', event, ...(await applyEvent(tx, match.pool, event, rater, now)) };
    } catch (error) {
      if (!(error instanceof MatchUnratable)) throw error;
      await forgetStrangers(tx, match.pool, event);
      rated = { outcome: 'unratable', reason: error.message };
    }
    const reason =
      rated.outcome === 'rated'
        ? 'The match is over and rated; you may queue again.'
        : `The match is over, but could not be rated: ${rated.outcome === 'unratable' ? rated.reason : ''}`;
    const end = { kind: 'rated' as const, matchId, ticketIds, reason };
    const news: OutboxJob[] = matchEndJobs(end, match.queue, match.blame);
    if (rated.outcome === 'rated') news.push(...newcomersOf(rated.event, rated.pool, rated.applied));
    await close(tx, matchId, rated.outcome === 'rated' ? 'rated' : 'void', reason, news, now);
    return rated;
  });
}

async function close(
  tx: Tx,
  matchId: string,
  state: 'rated' | 'void',
  reason: string,
  promised: readonly OutboxJob[],
  now: number,
): Promise<void> {
  const closeReason = state === 'void' ? reason : null;
  await tx.$executeRaw`
    WITH closed AS (
      UPDATE match SET state = ${state}, closed_at = ${new Date(now)}, close_reason = coalesce(${closeReason}, close_reason)
      WHERE id = ${matchId}
    ), promised AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'rating', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${JSON.stringify(promised.map(({ queue, jobId, payload }) => ({ queue, job_id: jobId, payload })))}::jsonb)
        AS row(queue text, job_id text, payload jsonb)
    )
    DELETE FROM live_player WHERE match_id = ${matchId}`;
}

/** An ended match as an event. Parties are who came on one ticket. */
function eventOf(
  matchId: string,
  match: EndedMatch,
  players: NonNullable<EndedMatch['players']>,
  now: number,
): MatchEvent {
  const teams: string[][] = match.ranks.map(() => []);
  const tickets: Map<string, number>[] = match.ranks.map(() => new Map());
  for (const { playerId, team, ticketId } of players) {
    teams[team]?.push(playerId);
    const sizes = tickets[team];
    if (ticketId !== null) sizes?.set(ticketId, (sizes.get(ticketId) ?? 0) + 1);
  }
  const parties = tickets.map((sizes) => [...sizes.values()].filter((size) => size > 1));
  // Written by the allocator, from a value of this type.
  const played = (match.played ?? {}) as Played;
  const situation = parties.some((of) => of.length > 0) ? { ...played.situation, parties } : played.situation;
  return {
    kind: 'match',
    eventId: matchId,
    at: match.ended_at?.getTime() ?? now,
    teams,
    ranks: match.ranks,
    played: situation ? { ...played, situation } : played,
  };
}

interface VoidableMatch {
  state: string;
  pool: string;
  queue: string | null;
  blame: unknown;
  tickets: string[] | null;
}

/** Takes a match out, and asks for the rebuild that takes out what it did to the ratings. */
export function voidMatch(
  db: Db,
  matchId: string,
  { by, reason, rebuildId }: VoidSaid,
  now: number,
): Promise<VoidResult> {
  return atomically(db, async (tx): Promise<VoidResult> => {
    const [match] = await tx.$queryRaw<VoidableMatch[]>`
      SELECT state, pool, queue, blame, (SELECT array_agg(DISTINCT ticket_id) FILTER (WHERE ticket_id IS NOT NULL)
        FROM match_player WHERE match_id = match.id) AS tickets
      FROM match WHERE id = ${matchId} FOR UPDATE`;
    if (!match) return { outcome: 'unknown' };
    if (match.state === 'void') return { outcome: 'again', pool: match.pool };
    if (match.state !== 'rated' && match.state !== 'ended')
      return { outcome: 'not-over', state: match.state };
    const said = `Declared void by ${by}: ${reason}`;
    if (match.state === 'ended') {
      const ticketIds = match.tickets ?? [];
      const end = { kind: 'abandoned' as const, matchId, ticketIds, reason: said };
      const news = matchEndJobs(end, match.queue, match.blame);
      await close(tx, matchId, 'void', said, news, now);
      return { outcome: 'dropped' };
    }
    await sharePool(tx, match.pool);
    await tx.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      VALUES (nextval('ledger_sequence'), ${match.pool}, 'void', ${matchId}, ${new Date(now)}, ${JSON.stringify({ by, reason })}::jsonb)`;
    const asked = writeReason([message('rebuild.match-void', { matchId, detail: reason })]);
    // A rebuild that runs looks for voided matches again before it comes into force.
    await tx.$executeRaw`
      INSERT INTO pool_rebuild (id, pool, state, generation, refit, reason, reason_messages, started_at)
      VALUES (${rebuildId}, ${match.pool}, 'running', 0, false, ${asked.reason}, ${JSON.stringify(asked.messages)}::jsonb, ${new Date(now)})
      ON CONFLICT (pool) WHERE state = 'running' DO NOTHING`;
    await close(tx, matchId, 'void', said, [], now);
    return { outcome: 'void', pool: match.pool };
  });
}
