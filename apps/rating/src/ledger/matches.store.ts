import { outboxJobsOf, type OutboxJob, readOffences, writeReason } from '@muster/contracts';
import {
  BatchedTransactions,
  type Db,
  outboxJson,
  processTime,
  type Sql,
  transact,
  sqlPart,
} from '@muster/db';
import {
  Batcher,
  type Changes,
  decideRating,
  decideVoid,
  type Decision,
  type MatchEvent,
  type MatchFacts,
  type MatchState,
  MatchUnratable,
  type RosterEntry,
  type RateResult,
  Pace,
  ratingDue,
  type RatingPool,
  type TakenOut,
  type VoidResult,
  type VoidRequest,
} from '@muster/domain';
import { apply, changedBy, forgetStrangers, hold, sharePool, write } from '../core/apply.store.js';
import { giveBack, HeldBoosters, type BoostedEntry } from '../boosters/held-boosters.store.js';
import { eventOf, type EndedMatch } from './ended-match.js';
import { newcomersOf, seedableOf } from '../newcomers/newcomer-jobs.js';

/** A match that has a result, as it is stored. */
interface EndedRow extends EndedMatch {
  readonly state: MatchState;
  readonly pool: string;
  readonly queue: string | null;
  readonly blame: unknown;
  readonly players: readonly (RosterEntry & BoostedEntry & { readonly role: string | null })[] | null;
}

const endedColumns = sqlPart`state, pool, queue, blame, ranks, played, region, map, rules->'sides' AS sides, ended_at AS "endedAt", (
  SELECT json_agg(json_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id, 'booster', booster, 'role', role) ORDER BY player_id)
  FROM match_player WHERE match_id = match.id) AS players`;

/** Locks a match and reads it. The match's row comes before the pool's lock in every transaction. */
export async function holdMatch(tx: Sql, matchId: string): Promise<EndedRow | null> {
  const [match] = await tx.$queryRaw<EndedRow[]>`
    SELECT ${endedColumns} FROM match WHERE id = ${matchId} FOR UPDATE`;
  return match ?? null;
}

const factsOf = (matchId: string, { state, queue, blame, players }: EndedRow): MatchFacts<RosterEntry> => ({
  matchId,
  state,
  queue,
  blame: readOffences(blame),
  players: players ?? [],
});

/** A match that is to be rated, and when. */
interface DueMatch {
  readonly matchId: string;
  readonly now: number;
}

interface DueInPool extends DueMatch {
  readonly pool: string;
}

/** The maximum number of matches that are rated in one transaction. */
const matchesAtOnce = 64;
/** The minimum time between two batches of matches to rate, in milliseconds: a rating has seconds. */
const ratingMs = 50;

/** Matches that the coordinator formed, from their end on. */
export class PostgresMatches {
  private readonly pace = new Pace(ratingMs, processTime);
  private readonly pools = new Batcher<string, string | null>(
    matchesAtOnce,
    this.pace.counting((matchIds: readonly string[]) => poolsOf(this.db, matchIds)),
    () => false,
    this.pace.next,
  );
  /** By pool. Those whose pools are read together are rated together, so they have no further pace. */
  private readonly due: BatchedTransactions<DueInPool, RateResult>;

  constructor(private readonly db: Db) {
    this.due = new BatchedTransactions(db, {
      maxItems: matchesAtOnce,
      paceMs: 0,
      together: (tx, due: readonly DueInPool[]) => rateTogether(tx, due[0]?.pool ?? '', due),
      alone: (due: DueInPool) => rateMatch(db, due),
    });
  }

  /** Rates an ended match, closes it and releases its players; exactly once. */
  async rate(matchId: string, now: number): Promise<RateResult> {
    const pool = await this.pools.submit('', matchId);
    return pool === null ? { outcome: 'not-ended' } : this.due.submit(pool, { matchId, pool, now });
  }

  /** Ended matches that are not rated yet, for a reconciler. */
  async endedBefore(time: number, limit: number): Promise<string[]> {
    const ended = await this.db.$sql.$queryRaw<{ id: string }[]>`
      SELECT id FROM match WHERE state = 'ended' AND ended_at < ${new Date(time)} ORDER BY ended_at LIMIT ${limit}`;
    return ended.map((match) => match.id);
  }

  /**
   * Takes a match out of the ratings; see `decideVoid`. A rebuild, requested in the same step unless one runs already, removes what
   * it did to them.
   */
  void(matchId: string, said: VoidRequest, now: number): Promise<VoidResult> {
    return transact(this.db, (tx) => voidMatch(tx, matchId, said, now));
  }
}

/** Takes a match out of the ratings in a transaction; see {@link PostgresMatches.void}. */
export async function voidMatch(
  tx: Sql,
  matchId: string,
  said: VoidRequest,
  now: number,
): Promise<VoidResult> {
  const match = await holdMatch(tx, matchId);
  const facts = match && {
    ...factsOf(matchId, match),
    pool: match.pool,
    isTakenOut: match.state === 'void' && (await isTakenOut(tx, match.pool, matchId)),
  };
  const decision = decideVoid(facts, said, now);
  if (!decision.changes) return decision.outcome;
  if (decision.changes.takenOut) await takeOut(tx, matchId, decision.changes.takenOut);
  await close(tx, [{ decision, more: [] }]);
  return decision.outcome;
}

/**
 * The pools of matches, in order. A match never changes its pool.
 *
 * `ARRAY(SELECT unnest(…))`: a list in a parameter is planned at each execution, because a plan for its length seems cheaper
 * than the generic one.
 *
 * @returns null for a match that does not exist
 */
async function poolsOf(db: Db, matchIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.$sql.$queryRaw<{ id: string; pool: string }[]>`
    SELECT id, pool FROM match WHERE id = ANY(ARRAY(SELECT unnest(${[...matchIds]}::text[])))`;
  const pools = new Map(rows.map(({ id, pool }) => [id, pool]));
  return matchIds.map((id) => pools.get(id) ?? null);
}

/**
 * Rates ended matches of one pool, one after the other in the order given, closes them and frees their players; see
 * `decideRating`. Matches that another transaction holds are left out.
 *
 * @returns null for a match that the batch leaves out: it is locked, not ended, a repeat, or it cannot be rated
 */
async function rateTogether(
  tx: Sql,
  pool: string,
  matches: readonly DueMatch[],
): Promise<readonly (RateResult | null)[]> {
  const held = await holdEnded(tx, pool, [...new Set(matches.map(({ matchId }) => matchId))]);
  const due: (DueMatch & { readonly match: EndedRow })[] = [];
  for (const each of matches) {
    const match = held.get(each.matchId);
    if (!match) continue;
    due.push({ ...each, match });
    held.delete(each.matchId);
  }
  if (due.length === 0) return matches.map(() => null);
  const rated = await rateHeld(tx, pool, due);
  const refused = rated.flatMap((each) => (each.outcome === 'failed' ? [each] : []));
  const [first] = refused;
  if (first)
    await forgetStrangers(
      tx,
      first.pool,
      refused.map(({ event }) => event),
    );
  const results = new Map(due.map(({ matchId }, i) => [matchId, rated[i]]));
  return matches.map(({ matchId }) => {
    const result = results.get(matchId);
    // The second of two equal items is processed after the first.
    results.delete(matchId);
    return result?.outcome === 'rated' ? result : null;
  });
}

/** Rates a match in any state, closes it and frees its players; see `decideRating`. */
function rateMatch(db: Db, due: DueMatch): Promise<RateResult> {
  const { matchId, now } = due;
  return transact(db, async (tx): Promise<RateResult> => {
    const match = await holdMatch(tx, matchId);
    const isDue = ratingDue(match);
    if (!match || isDue !== 'due') return { outcome: isDue === 'closed' ? 'closed' : 'not-ended' };
    await sharePool(tx, match.pool);
    const [rated] = await rateHeld(tx, match.pool, [{ ...due, match }]);
    if (!rated) throw new Error(`match ${matchId} was not rated`);
    if (rated.outcome === 'rated') return rated;
    const { error, pool, event } = rated;
    if (!(error instanceof MatchUnratable)) throw error;
    await forgetStrangers(tx, pool, [event]);
    const result = { outcome: 'unratable', reason: error.message } as const;
    await close(tx, [{ decision: decideRating(factsOf(matchId, match), result, now), more: [] }]);
    return result;
  });
}

/**
 * Takes the pool's lock and locks matches. It waits for no match, so the pool's lock may come first here.
 *
 * @returns those that ended and are not rated
 */
async function holdEnded(tx: Sql, pool: string, matchIds: readonly string[]): Promise<Map<string, EndedRow>> {
  // The roster of an ended match is fixed, so this statement may read it. Pool and state are not conditions: Postgres may
  // read all matches of the pool, or of that state, by an index, rather than those that are named.
  const rows = await tx.$queryRaw<(EndedRow & { id: string })[]>`
    WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended(${pool}, 0)))
    SELECT match.id, ${endedColumns}
    FROM held, match WHERE match.id = ANY(ARRAY(SELECT unnest(${[...matchIds]}::text[])))
    ORDER BY match.id FOR NO KEY UPDATE OF match SKIP LOCKED`;
  return new Map(rows.flatMap((row) => (ratingDue(row) === 'due' ? [[row.id, row]] : [])));
}

type Rated = Extract<RateResult, { outcome: 'rated' }>;
/** It could not be rated. */
interface Failed {
  readonly outcome: 'failed';
  readonly event: MatchEvent;
  readonly pool: RatingPool;
  readonly error: unknown;
}

/** Rates ended matches that the transaction holds together with their pool. Those that cannot be rated are not written. */
async function rateHeld(
  tx: Sql,
  poolName: string,
  due: readonly (DueMatch & { readonly match: EndedRow })[],
): Promise<(Rated | Failed)[]> {
  const events = due.map(({ matchId, match, now }) => eventOf(matchId, match, now));
  const held = await hold(tx, poolName, events, Math.max(...due.map(({ now }) => now)));
  const boosters = await HeldBoosters.hold(
    tx,
    poolName,
    due.flatMap(({ match }) => match.players ?? []),
  );
  const { pool } = held;
  const rated = events.map((plain, i): Rated | Failed => {
    const event = boosters.boost(plain, due[i]?.match.players ?? []);
    try {
      const { applied } = apply(held, event);
      boosters.count(event);
      return { outcome: 'rated', event, pool, applied };
    } catch (error) {
      return { outcome: 'failed', event, pool, error };
    }
  });
  const done = rated.flatMap((each) => (each.outcome === 'rated' ? [each] : []));
  if (done.length === 0) return rated;
  const closings = due.flatMap(({ matchId, match, now }, i): Closing[] => {
    const each = rated[i];
    if (each?.outcome !== 'rated') return [];
    const decision = decideRating(factsOf(matchId, match), { outcome: 'rated' }, now);
    const { event, applied } = each;
    const more = [...newcomersOf(event, pool, applied), ...seedableOf(event, pool, applied)];
    return [{ decision, more }];
  });
  await write(tx, held, done);
  await boosters.write();
  await close(tx, closings, [changedBy(pool, done)]);
  return rated;
}

/** A decision that closes a match, and the jobs that follow it beside its own. */
interface Closing {
  readonly decision: Decision<unknown>;
  readonly more: readonly OutboxJob[];
}

const none: Partial<Changes> = {};

/** Closes matches, frees their players and enqueues the jobs, in one statement. */
async function close(
  tx: Sql,
  closings: readonly Closing[],
  others: readonly OutboxJob[] = [],
): Promise<void> {
  const rows = closings.map(closingRow);
  const ids = rows.map(({ id }) => id);
  const jobs = outboxJson(
    closings.flatMap(({ decision, more }) => [...outboxJobsOf(decision.jobs), ...more]).concat(others),
  );
  await tx.$executeRaw`
    WITH closed AS (
      UPDATE match SET state = row.state, closed_at = row.closed_at, close_reason = coalesce(row.reason, close_reason),
        close_messages = CASE WHEN row.reason IS NULL THEN close_messages ELSE row.messages END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS row(id text, from_states text[], state text, closed_at timestamptz, reason text, messages jsonb)
      WHERE match.id = row.id AND match.id = ANY(${ids}::text[]) AND match.state = ANY(row.from_states) RETURNING match.id
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'rating', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${jobs}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    DELETE FROM live_player USING closed
    WHERE live_player.match_id = closed.id AND live_player.match_id = ANY(${ids}::text[])`;
}

function closingRow({ decision }: Closing) {
  const { matchId, match } = decision.changes ?? none;
  if (matchId === undefined || (match?.to !== 'rated' && match?.to !== 'void'))
    throw new Error('no match is closed');
  const { reason, messages } = match.to === 'void' ? writeReason([match.reason]) : { reason: null };
  return {
    id: matchId,
    from_states: match.from,
    state: match.to,
    closed_at: new Date(match.closedAt),
    reason,
    messages,
  };
}

async function isTakenOut(tx: Sql, pool: string, matchId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM rating_event WHERE pool = ${pool} AND kind = 'void' AND event_id = ${matchId}`;
  return rows.length > 0;
}

/** Enters in the ledger that a rated match is void, gives boosters back, and asks for a rebuild of its pool. */
async function takeOut(tx: Sql, matchId: string, { pool, by, detail, at, rebuild }: TakenOut): Promise<void> {
  await sharePool(tx, pool);
  await tx.$executeRaw`
    INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
    VALUES (nextval('ledger_sequence'), ${pool}, 'void', ${matchId}, ${new Date(at)}, ${JSON.stringify({ by, reason: detail })}::jsonb)`;
  await giveBack(tx, pool, matchId);
  const { reason, messages } = writeReason([rebuild.reason]);
  // A rebuild that runs looks for voided matches again before it comes into force.
  await tx.$executeRaw`
    INSERT INTO pool_rebuild (id, pool, state, generation, refit, reason, reason_messages, started_at)
    VALUES (${rebuild.rebuildId}, ${pool}, 'running', 0, false, ${reason}, ${JSON.stringify(messages)}::jsonb, ${new Date(at)})
    ON CONFLICT (pool) WHERE state = 'running' DO NOTHING`;
}
