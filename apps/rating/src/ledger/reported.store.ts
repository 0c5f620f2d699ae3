import { type OutboxJob, writeReason } from '@muster/contracts';
import { type Db, isAudited, outboxJson, type Sql, transact } from '@muster/db';
import {
  Batcher,
  decideReport,
  firstReports,
  type KeptReport,
  type KnownReport,
  type MatchEvent,
  MusterError,
  type ReportedMatch,
  type ReportedRated,
  ResultInvalid,
  type ResultFault,
  type ResultRules,
  statFaults,
} from '@muster/domain';
import { applyEvents, changedBy } from '../core/apply.store.js';
import { seedableOf } from '../newcomers/newcomer-jobs.js';

/** A match that somebody reports, and when it is rated. */
export interface Report {
  readonly match: ReportedMatch;
  readonly now: number;
}

/** So many reports are rated in one transaction at most: its players are locked no longer than a moment. */
const reportsAtOnce = 64;

/** Matches that the coordinator did not form. */
export class PostgresReports {
  private readonly reports = new Batcher<Report, ReportedRated>(
    reportsAtOnce,
    (reports) => rateReports(this.db, reports),
    isReportsFault,
  );

  constructor(private readonly db: Db) {}

  /** Rates a reported match; exactly once for its external id. @throws MatchUnratable, and then nothing is stored */
  async rate(match: ReportedMatch, now: number): Promise<ReportedRated> {
    const [alone] = isAudited() ? await rateReports(this.db, [{ match, now }]) : [];
    return alone ?? this.reports.submit(match.pool, { match, now });
  }

  /** Whether the rules in force of any queue use a pool. */
  async isQueued(pool: string): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ queued: boolean }[]>`
      SELECT EXISTS (
        SELECT 1 FROM queue_rules AS newest WHERE rules->>'pool' = ${pool}
          AND NOT EXISTS (SELECT 1 FROM queue_rules AS later WHERE later.queue = newest.queue AND later.version > newest.version)
      ) AS queued`;
    return row?.queued ?? false;
  }
}

/** Whether a failure may be the fault of one report: of its match, or of a stored rating that cannot be read. */
function isReportsFault(error: unknown): boolean {
  return error instanceof MusterError || error instanceof TypeError;
}

/**
 * Rates matches of one pool that the coordinator did not form, one after the other, in one transaction: all or, when one
 * cannot be rated, none.
 *
 * @returns what became of each, in the order given
 */
function rateReports(db: Db, reports: readonly Report[]): Promise<ReportedRated[]> {
  const pool = reports[0]?.match.pool;
  if (pool === undefined) return Promise.resolve([]);
  return transact(db, (tx) => rateReported(tx, pool, reports));
}

/** Rates reported matches of one pool in a transaction. @throws MatchUnratable */
export async function rateReported(
  tx: Sql,
  pool: string,
  reports: readonly Report[],
): Promise<ReportedRated[]> {
  const rated = await rateFresh(tx, pool, await enter(tx, pool, reports));
  const answers: ReportedRated[] = [];
  for (const report of reports) answers.push(rated.get(report) ?? (await repeated(tx, report)));
  return answers;
}

/**
 * Enters the matches, with the pool's lock held. The unique key of pool and external id decides which of them are fresh, as
 * `decideReport` says: a report of another transaction may be under way.
 *
 * @returns those that were not known
 */
async function enter(tx: Sql, pool: string, reports: readonly Report[]): Promise<Report[]> {
  // Of two reports of a match in one statement, the database may enter either.
  const firsts = firstReports(reports);
  const entries = firsts.map(({ match, now }) => ({
    id: match.matchId,
    external_id: match.externalId,
    digest: match.digest,
    ranks: match.ranks,
    played: match.played,
    at: new Date(match.playedAt),
    closed_at: new Date(now),
  }));
  // In the order of the ids, in which others enter theirs: who waits for whom never goes round in a circle.
  const entered = await tx.$queryRaw<{ id: string; external_id: string }[]>`
    WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended(${pool}, 0)))
    INSERT INTO match (id, origin, state, external_id, digest, pool, ranks, played, regions, why, prediction, formed_at, ended_at, closed_at)
    SELECT id, 'reported', 'rated', external_id, digest, ${pool}, ranks, played, '{}',
      ARRAY['Reported by a trusted server; the coordinator did not make these teams.'], '{}', at, at, closed_at
    FROM held, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      AS row(id text, external_id text, digest text, ranks int[], played jsonb, at timestamptz, closed_at timestamptz)
    ORDER BY external_id
    ON CONFLICT DO NOTHING RETURNING id, external_id`;
  const fresh = new Map(entered.map((row) => [row.id, row.external_id]));
  return firsts.filter(({ match: { matchId, externalId } }) => fresh.get(matchId) === externalId);
}

async function rateFresh(
  tx: Sql,
  pool: string,
  reports: readonly Report[],
): Promise<Map<Report, ReportedRated>> {
  const rated = new Map<Report, ReportedRated>();
  if (reports.length === 0) return rated;
  const now = Math.max(...reports.map((report) => report.now));
  const events = reports.map(({ match }) => eventOf(match));
  const { pool: held, done } = await applyEvents(tx, pool, events, now);
  for (const { match } of reports) checkStats(match, held.rules.results);
  const predictions: { id: string; prediction: readonly number[] }[] = [];
  const players: object[] = [];
  const jobs: OutboxJob[] = [];
  done.forEach(({ event, applied }, i) => {
    const { eventId: matchId, at } = event;
    const prediction = [...(applied.forecast?.chances ?? [])];
    const report = reports[i];
    if (report) rated.set(report, { outcome: 'rated', matchId, prediction });
    predictions.push({ id: matchId, prediction });
    jobs.push(...seedableOf(event, held, applied));
    for (const { playerId, team, believed } of applied.players)
      players.push({ match_id: matchId, player_id: playerId, team, formed_at: new Date(at), ...believed });
  });
  jobs.push(changedBy(held, done));
  await tx.$executeRaw`
    WITH said AS (
      UPDATE match SET prediction = row.prediction
      FROM jsonb_to_recordset(${JSON.stringify(predictions)}::jsonb) AS row(id text, prediction float8[])
      WHERE match.id = row.id AND match.id = ANY(${predictions.map(({ id }) => id)}::text[])
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'rating', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${outboxJson(jobs)}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    INSERT INTO match_player (match_id, player_id, team, mu, sigma, formed_at)
    SELECT match_id, player_id, team, mu, sigma, formed_at
    FROM jsonb_to_recordset(${JSON.stringify(players)}::jsonb)
      AS row(match_id text, player_id text, team int, mu float8, sigma float8, formed_at timestamptz)`;
  return rated;
}

/** @throws ResultInvalid for facts or stats outside the bounds of the pool */
function checkStats({ played }: ReportedMatch, rules: ResultRules | null | undefined): void {
  const errors = [
    ...statFaultsBy(played?.facts, rules, 'facts'),
    ...statFaultsBy(played?.stats, rules, 'stats'),
  ];
  const [first] = errors;
  if (first)
    throw new ResultInvalid(`\`${first.path}\`: ${first.message}.`, { errors: errors.slice(0, 100) });
}

function statFaultsBy(
  byPlayer: Readonly<Record<string, object>> = {},
  rules: ResultRules | null | undefined,
  path: string,
): ResultFault[] {
  return Object.entries(byPlayer).flatMap(([playerId, stats]) =>
    statFaults({ ...stats }, rules, `${path}.${playerId}`),
  );
}

function eventOf({ matchId, playedAt, teams, ranks, played }: ReportedMatch): MatchEvent {
  return { kind: 'match', eventId: matchId, at: playedAt, teams, ranks, played };
}

/** The external id is known; see `decideReport`. */
async function repeated(tx: Sql, { match, now }: Report): Promise<ReportedRated> {
  const { pool, externalId } = match;
  const [known] = await tx.$queryRaw<KnownReport[]>`
    SELECT id AS "matchId", digest, prediction FROM match WHERE pool = ${pool} AND external_id = ${externalId}`;
  const { outcome, changes } = decideReport(known ?? null, match, now);
  if (outcome.outcome === 'fresh')
    throw new Error(`match ${externalId} of pool ${pool} is neither new nor there`);
  if (changes?.conflict) await keep(tx, changes.matchId, changes.conflict);
  return outcome;
}

/** A report that does not count is kept for operators, once. */
async function keep(
  tx: Sql,
  matchId: string,
  { reportedBy, reason: why, digest, body, receivedAt }: KeptReport,
): Promise<void> {
  const { reason, messages } = writeReason([why]);
  await tx.$executeRaw`
    INSERT INTO result_conflict (match_id, reported_by, reason, messages, digest, body, received_at)
    VALUES (${matchId}, ${reportedBy}, ${reason}, ${JSON.stringify(messages)}::jsonb, ${digest},
      ${JSON.stringify(body)}::jsonb, ${new Date(receivedAt)})
    ON CONFLICT DO NOTHING`;
}
