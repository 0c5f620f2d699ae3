import { outboxJobsOf, type OutboxJob, readOffences, writeReason } from '@muster/contracts';
import { type Db, outboxJson, type Sql, transact } from '@muster/db';
import {
  type Changes,
  decideRating,
  decideVoid,
  type Decision,
  type MatchEvent,
  type MatchFacts,
  type MatchState,
  MatchUnratable,
  type RosterEntry,
  type Played,
  type Rater,
  type RateResult,
  ratingDue,
  type TakenOut,
  type VoidResult,
  type VoidRequest,
} from '@muster/domain';
import { applyEvent, forgetStrangers, sharePool } from './apply.store.js';
import { newcomersOf } from './newcomers.js';

interface EndedMatch {
  state: MatchState;
  pool: string;
  queue: string | null;
  blame: unknown;
  ranks: number[];
  played: unknown;
  endedAt: Date | null;
  players: RosterEntry[] | null;
}

/** Locks a match and reads it. The match's row comes before the pool's lock in every transaction. */
async function holdMatch(tx: Sql, matchId: string): Promise<EndedMatch | null> {
  const [match] = await tx.$queryRaw<EndedMatch[]>`
    SELECT state, pool, queue, blame, ranks, played, ended_at AS "endedAt", (
      SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id) ORDER BY player_id)
      FROM match_player WHERE match_id = match.id) AS players
    FROM match WHERE id = ${matchId} FOR UPDATE`;
  return match ?? null;
}

const factsOf = (matchId: string, { state, queue, blame, players }: EndedMatch): MatchFacts<RosterEntry> => ({
  matchId,
  state,
  queue,
  blame: readOffences(blame),
  players: players ?? [],
});

/** Rates an ended match, closes it and frees its players; see `decideRating`. */
export function rateMatch(db: Db, matchId: string, rater: Rater, now: number): Promise<RateResult> {
  return transact(db, async (tx): Promise<RateResult> => {
    const match = await holdMatch(tx, matchId);
    const due = ratingDue(match);
    if (!match || due !== 'due') return { outcome: due === 'closed' ? 'closed' : 'not-ended' };
    const event = eventOf(matchId, match, match.players ?? [], now);
    await sharePool(tx, match.pool);
    const rated = await rateEvent(tx, match.pool, event, rater, now);
    const decision = decideRating(factsOf(matchId, match), rated, now);
    const newcomers = rated.outcome === 'rated' ? newcomersOf(rated.event, rated.pool, rated.applied) : [];
    await close(tx, decision, newcomers);
    return rated;
  });
}

async function rateEvent(
  tx: Sql,
  pool: string,
  event: MatchEvent,
  rater: Rater,
  now: number,
): Promise<Extract<RateResult, { outcome: 'rated' | 'unratable' }>> {
  try {
    return { outcome: 'rated', event, ...(await applyEvent(tx, pool, event, rater, now)) };
  } catch (error) {
    if (!(error instanceof MatchUnratable)) throw error;
    await forgetStrangers(tx, pool, event);
    return { outcome: 'unratable', reason: error.message };
  }
}

const none: Partial<Changes> = {};

/** Writes how a match is closed, in one statement. @param more jobs beside those of the decision */
async function close(
  tx: Sql,
  { changes, jobs }: Decision<unknown>,
  more: readonly OutboxJob[] = [],
): Promise<void> {
  const { matchId, match } = changes ?? none;
  if (match?.to !== 'rated' && match?.to !== 'void') throw new Error('no match is closed');
  const { reason, messages } = match.to === 'void' ? writeReason([match.reason]) : { reason: null };
  const enqueued = [...outboxJobsOf(jobs), ...more];
  await tx.$executeRaw`
    WITH closed AS (
      UPDATE match SET state = ${match.to}, closed_at = ${new Date(match.closedAt)}, close_reason = coalesce(${reason}, close_reason),
        close_messages = CASE WHEN ${reason}::text IS NULL THEN close_messages ELSE ${messages ? JSON.stringify(messages) : null}::jsonb END
      WHERE id = ${matchId} AND state = ANY(${[...match.from]}::text[]) RETURNING id
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'rating', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${outboxJson(enqueued)}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    DELETE FROM live_player USING closed WHERE match_id = closed.id`;
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
    at: match.endedAt?.getTime() ?? now,
    teams,
    ranks: match.ranks,
    played: situation ? { ...played, situation } : played,
  };
}

/** Takes a match out, and asks for the rebuild that takes out what it did to the ratings; see `decideVoid`. */
export function voidMatch(db: Db, matchId: string, said: VoidRequest, now: number): Promise<VoidResult> {
  return transact(db, async (tx): Promise<VoidResult> => {
    const match = await holdMatch(tx, matchId);
    const facts = match && { ...factsOf(matchId, match), pool: match.pool };
    const decision = decideVoid(facts, said, now);
    if (!decision.changes) return decision.outcome;
    if (decision.changes.takenOut) await takeOut(tx, matchId, decision.changes.takenOut);
    await close(tx, decision);
    return decision.outcome;
  });
}

/** Enters in the ledger that a rated match is void, and asks for a rebuild of its pool. */
async function takeOut(tx: Sql, matchId: string, { pool, by, detail, at, rebuild }: TakenOut): Promise<void> {
  await sharePool(tx, pool);
  await tx.$executeRaw`
    INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
    VALUES (nextval('ledger_sequence'), ${pool}, 'void', ${matchId}, ${new Date(at)}, ${JSON.stringify({ by, reason: detail })}::jsonb)`;
  const { reason, messages } = writeReason([rebuild.reason]);
  // A rebuild that runs looks for voided matches again before it comes into force.
  await tx.$executeRaw`
    INSERT INTO pool_rebuild (id, pool, state, generation, refit, reason, reason_messages, started_at)
    VALUES (${rebuild.rebuildId}, ${pool}, 'running', 0, false, ${reason}, ${JSON.stringify(messages)}::jsonb, ${new Date(at)})
    ON CONFLICT (pool) WHERE state = 'running' DO NOTHING`;
}
