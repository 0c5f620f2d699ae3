import {
  BatchedTransactions,
  type Db,
  enqueueAfterCommit,
  processTime,
  readsOf,
  type Reads,
  transact,
} from '@muster/db';
import { Batcher, Pace } from '@muster/domain';
import type {
  Calibration,
  GivenEvent,
  LedgerRow,
  LedgerStore,
  NewPool,
  PoolRules,
  RatedBefore,
  RatedMatch,
  Rater,
  RateResult,
  RatingHistoryRow,
  RatingPool,
  ReportedMatch,
  ReportedRated,
  ResetEvent,
  SignalEvent,
  Explanation,
  StoredRating,
  TimeRange,
  VoidResult,
  VoidRequest,
} from '@muster/domain';
import { applyEvent, sharePool } from './apply.store.js';
import { isReportsFault, rateReports, type Report, reportsAtOnce } from './reported.store.js';
import { readCorrections } from './corrections.store.js';
import { changedBy } from './newcomers.js';
import * as matches from './matches.store.js';
import * as pools from '../pools/pools.store.js';
import * as reading from './reading.store.js';
import * as totals from './totals.store.js';

/** The minimum time between two batches of matches to rate, in milliseconds: a rating has seconds. */
const ratingMs = 50;

interface DueInPool extends matches.DueMatch {
  readonly pool: string;
}

/** The rating service's tables. The modules under `ledger/`, `pools/` and `rebuilds/` implement the methods. */
export class PostgresLedgerStore implements LedgerStore {
  private readonly reports = new Batcher<Report, ReportedRated>(
    reportsAtOnce,
    (reports) => rateReports(this.db, reports),
    isReportsFault,
  );
  /** Batches the reads of ratings, one per ticket and match. */
  private readonly readings = new Batcher<reading.RatingsQuery, reading.PoolRatings>(
    reading.ratingsBatch,
    // One batch per pool: an error fails the batch of that pool only.
    (queries) => reading.readRatingsBatch(this.db, queries),
    () => false,
  );
  private readonly botReadings = new Batcher<reading.BotsQuery, ReadonlyMap<string, StoredRating>>(
    reading.ratingsBatch,
    (queries) => reading.readBotsBatch(this.db, queries),
    () => false,
  );

  private readonly ratingPace = new Pace(ratingMs, processTime);
  private readonly poolsOfMatches = new Batcher<string, string | null>(
    matches.matchesAtOnce,
    this.ratingPace.counting((matchIds) => matches.poolsOf(this.db, matchIds)),
    () => false,
    this.ratingPace.next,
  );
  /** By pool. Those whose pools are read together are rated together, so they have no further pace. */
  private readonly dueMatches: BatchedTransactions<DueInPool, RateResult>;

  constructor(
    private readonly db: Db,
    private readonly reads: Reads = readsOf(db),
    /** Is told that jobs wait in the outbox. */
    private readonly committed: () => void = () => undefined,
  ) {
    this.dueMatches = new BatchedTransactions(db, {
      maxItems: matches.matchesAtOnce,
      paceMs: 0,
      together: (tx, due: readonly DueInPool[]) => matches.rateTogether(tx, due[0]?.pool ?? '', due),
      alone: (due: DueInPool) => matches.rateMatch(db, due),
    });
  }

  pools(): Promise<RatingPool[]> {
    return pools.readPools(this.db.$sql);
  }
  pool(name: string): Promise<RatingPool> {
    return pools.readPool(this.db.$sql, name);
  }
  createPool(pool: NewPool): Promise<{ pool: RatingPool; created: boolean }> {
    return pools.createPool(this.db, pool);
  }
  async changePool(
    from: RatingPool,
    rules: PoolRules,
    calibration: Calibration,
    why: Explanation,
  ): Promise<RatingPool | null> {
    const changed = await pools.changePool(this.db, from, rules, calibration, why);
    this.committed();
    return changed;
  }

  ratings(
    pool: string,
    playerIds: readonly string[],
  ): Promise<{ pool: RatingPool; ratings: ReadonlyMap<string, StoredRating> }> {
    return this.readings.submit(pool, { pool, playerIds });
  }
  page(pool: RatingPool, after: string, limit: number): Promise<(StoredRating & { playerId: string })[]> {
    return reading.readPage(this.db, pool, after, limit);
  }
  bots(pool: RatingPool, limit: number): Promise<ReadonlyMap<string, StoredRating>> {
    // Concurrent callers with the same arguments share one result.
    return this.botReadings.submit(`${pool.name} ${pool.generation} ${limit}`, { pool, limit });
  }
  changes(matchIds: readonly string[]): Promise<LedgerRow[]> {
    return reading.readChanges(this.db, matchIds);
  }
  history(
    pool: RatingPool,
    playerId: string,
    limit: number,
    range: TimeRange = {},
  ): Promise<RatingHistoryRow[]> {
    return this.reads.read((db) => reading.readHistory(db, pool, playerId, limit, range));
  }

  corrections(pool: RatingPool, playerId: string): Promise<RatingHistoryRow[]> {
    return this.reads.read((db) => readCorrections(db, pool, playerId));
  }

  async rateMatch(matchId: string, rater: Rater, now: number): Promise<RateResult> {
    const pool = await this.poolsOfMatches.submit('', matchId);
    return pool === null
      ? { outcome: 'not-ended' }
      : this.dueMatches.submit(pool, { matchId, pool, rater, now });
  }
  rateReported(match: ReportedMatch, rater: Rater, now: number): Promise<ReportedRated> {
    return this.reports.submit(match.pool, { match, rater, now });
  }
  async record(
    pool: string,
    event: GivenEvent | ResetEvent | SignalEvent,
    rater: Rater,
    now: number,
  ): Promise<boolean> {
    const isNew = await transact(this.db, async (tx) => {
      await sharePool(tx, pool);
      const known = await tx.$queryRaw<object[]>`
        SELECT 1 FROM rating_event WHERE pool = ${pool} AND kind = ${event.kind} AND event_id = ${event.eventId}`;
      if (known.length > 0) return false;
      const done = await applyEvent(tx, pool, event, rater, now);
      await enqueueAfterCommit(tx, 'rating', [changedBy(done.pool, [{ event, applied: done.applied }])]);
      return true;
    });
    this.committed();
    return isNew;
  }
  voidMatch(matchId: string, said: VoidRequest, now: number): Promise<VoidResult> {
    return matches.voidMatch(this.db, matchId, said, now);
  }

  async endedBefore(time: number, limit: number): Promise<string[]> {
    const ended = await this.db.$sql.$queryRaw<{ id: string }[]>`
      SELECT id FROM match WHERE state = 'ended' AND ended_at < ${new Date(time)} ORDER BY ended_at LIMIT ${limit}`;
    return ended.map((match) => match.id);
  }

  rated(pool: RatingPool, limit: number): Promise<{ before: RatedBefore; matches: RatedMatch[] }> {
    return reading.readRated(this.db, pool, limit);
  }
  ratedCount(pool: RatingPool): Promise<{ matches: number; underVersion: number }> {
    return totals.countRated(this.db, pool);
  }
  addToTotals(limit: number): Promise<boolean> {
    return totals.addToTotals(this.db, limit);
  }
}
