import { sentenceOf } from '@muster/contracts';
import { type Db, type Sql, transact } from '@muster/db';
import {
  isPseudonym,
  type Ids,
  type Message,
  type RatingPool,
  type Signal,
  type SignalKind,
  type Situation,
  type SkillBelief,
} from '@muster/domain';
import {
  levelChances,
  signalThresholds,
  subjectOf,
  watchMatch,
  type PlayerWatch,
  type ServerWatch,
  type WatchContext,
  type WatchedMatch,
} from '@muster/skill';
import { sharePool } from '../core/apply.store.js';
import { opened } from '../core/open-pool.js';
import { readPool } from '../core/pool-rows.store.js';
import { alternates, HabitCounts, type Sighting } from './alternates.store.js';

/** Matches in one transaction. */
const matchesAtOnce = 200;
/** A pool that is new to signals, or was rebuilt, is followed from so many events ago. */
const lookBack = 10_000;

interface Cursor {
  generation: number;
  through: bigint;
  mark: bigint;
  settled: boolean;
  foreign: boolean;
}

/** A case that was opened. */
export interface OpenedCase {
  readonly caseId: string;
  readonly pool: string;
  readonly signal: Signal;
}

export interface Followed {
  readonly opened: readonly OpenedCase[];
  /** Whether more can be done at once. */
  readonly more: boolean;
}

const nothing: Followed = { opened: [], more: false };

/** Follows the ledgers of pools, and opens cases. One process at a time follows a pool: it holds the row of the cursor. */
export class IntegrityWatch {
  constructor(
    private readonly db: Db,
    private readonly ids: Pick<Ids, 'make'>,
    private readonly limit = matchesAtOnce,
    private readonly habits = new HabitCounts(),
  ) {}

  /** Forgets how far pools were followed that are not watched any more: they begin anew when they are watched again. */
  async leave(pools: readonly string[]): Promise<void> {
    await this.db.$sql.$executeRaw`DELETE FROM integrity_cursor WHERE pool = ANY(${[...pools]}::text[])`;
  }

  /**
   * Counts the next matches of a pool. Numbers of events are committed out of order, so the cursor moves up to a mark once all
   * transactions that may write below it are over; see `PostgresRatedMatches.addToTotals`. Cursor, evidence and cases change together, so a match
   * counts once.
   */
  follow(name: string, now: number): Promise<Followed> {
    return transact(this.db, async (tx) => {
      // Before this transaction has an id: who wrote up to it has a lower one.
      const newest = await newestEvent(tx, name);
      const cursor = await holdCursor(tx, name);
      if (cursor === 'taken') return nothing;
      // Shared with results; not with a rebuild that comes into force, nor with the erasure of a player.
      await sharePool(tx, name);
      const pool = await readPool(tx, name);
      if (!pool.rules.integrity) return nothing;
      if (cursor?.generation !== pool.generation) {
        await begin(tx, pool);
        return { opened: [], more: true };
      }
      // A copy in another server counts transactions from a lower number.
      if (cursor.foreign) await remark(tx, name, cursor.mark);
      if (!cursor.settled) return nothing;
      return this.countNext(tx, pool, cursor, newest, now);
    });
  }

  private async countNext(
    tx: Sql,
    pool: RatingPool,
    { through, mark }: Cursor,
    newest: bigint,
    now: number,
  ): Promise<Followed> {
    const events = through < mark ? await nextEvents(tx, pool, through, mark, this.limit) : [];
    const isMore = events.length >= this.limit;
    const { signals, newcomers } = await count(tx, pool, through, events.flatMap(matchOf), now);
    const alike = await alternates(tx, pool, newcomers, this.habits, now);
    const cases = await this.openCases(tx, pool, [...signals, ...alike], now);
    const reached = isMore ? (events.at(-1)?.sequence ?? mark) : mark;
    await tx.$executeRaw`UPDATE integrity_cursor SET through = ${reached}::bigint WHERE pool = ${pool.name}`;
    if (!isMore && newest > mark) await remark(tx, pool.name, newest);
    return { opened: cases, more: isMore || newest > mark };
  }

  /** Opens cases, or renews the evidence of open ones: the last signal about a subject counts. */
  private async openCases(
    tx: Sql,
    pool: RatingPool,
    signals: readonly Signal[],
    now: number,
  ): Promise<OpenedCase[]> {
    // Nobody can act on an erased player, and a rebuild counts their matches again.
    const ofPeople = signals.filter(({ players }) => !players.some(isPseudonym));
    const last = new Map(ofPeople.map((signal) => [`${signal.kind} ${subjectOf(signal)}`, signal]));
    const raises = pool.rules.integrity?.uncertainty !== undefined;
    const found: OpenedCase[] = [];
    for (const signal of last.values()) {
      const caseId = this.ids.make('cas');
      const raise = raises && signal.kind !== 'server' ? 'due' : 'none';
      const [row] = await tx.$queryRaw<{ id: string }[]>`
        INSERT INTO integrity_case (id, pool, kind, subject, players, server, state, evidence, by_chance, matches, match_id, sequence,
          pro, contra, generation, opened_at, updated_at, raise)
        VALUES (${caseId}, ${pool.name}, ${signal.kind}, ${subjectOf(signal)}, ${[...signal.players]}::text[], ${signal.server}, 'open',
          ${signal.evidence}::float8, ${signal.byChance}::float8, ${signal.matches}::int, ${signal.matchId}, ${signal.sequence}::bigint,
          ${stored(signal.pro)}::jsonb, ${stored(signal.contra)}::jsonb,
          ${pool.generation}::int, ${new Date(now)}, ${new Date(now)}, ${raise})
        ON CONFLICT (pool, kind, subject) WHERE state = 'open' DO UPDATE SET evidence = EXCLUDED.evidence,
          by_chance = EXCLUDED.by_chance, matches = EXCLUDED.matches, match_id = EXCLUDED.match_id, sequence = EXCLUDED.sequence,
          pro = EXCLUDED.pro, contra = EXCLUDED.contra, generation = EXCLUDED.generation, updated_at = EXCLUDED.updated_at
        RETURNING id`;
      if (row?.id === caseId) found.push({ caseId, pool: pool.name, signal });
    }
    return found;
  }
}

/** What matches were counted to. */
interface Counted {
  readonly signals: readonly Signal[];
  /** New accounts, after each of their matches. */
  readonly newcomers: readonly Sighting[];
}

/** Counts matches, in their order. */
async function count(
  tx: Sql,
  pool: RatingPool,
  through: bigint,
  matches: readonly WatchedMatch[],
  now: number,
): Promise<Counted> {
  if (matches.length === 0) return { signals: [], newcomers: [] };
  const { players, servers } = await loadWatches(tx, pool, matches);
  const context = contextOf(pool, await judgedAfter(tx, pool.name, through));
  const signals: Signal[] = [];
  const newcomers: Sighting[] = [];
  const changed = new Map<string, { kind: string; subject: string; state: PlayerWatch | ServerWatch }>();
  for (const match of matches) {
    const result = watchMatch({ players, servers }, match, context);
    for (const [subject, state] of result.players) {
      players.set(subject, state);
      changed.set(`player ${subject}`, { kind: 'player', subject, state });
      if (state.newcomer) newcomers.push({ playerId: subject, watch: state.newcomer, match });
    }
    if (result.server && match.server !== null) {
      servers.set(match.server, result.server);
      const server = { kind: 'server', subject: match.server, state: result.server };
      changed.set(`server ${match.server}`, server);
    }
    signals.push(...result.signals);
  }
  await saveWatches(tx, pool, [...changed.values()], now);
  return { signals, newcomers };
}

/** Messages with their text, for releases that do not know their codes. */
function stored(messages: readonly Message[]): string {
  return JSON.stringify(messages.map((each) => ({ ...each, text: sentenceOf(each) })));
}

/** @returns undefined when the pool has none yet */
async function holdCursor(tx: Sql, pool: string): Promise<Cursor | 'taken' | undefined> {
  const [held] = await tx.$queryRaw<Cursor[]>`
    SELECT generation, through, mark, mark_xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS settled,
      mark_xid > pg_current_xact_id()::text::bigint AS foreign
    FROM integrity_cursor WHERE pool = ${pool} FOR UPDATE SKIP LOCKED`;
  if (held) return held;
  const [taken] = await tx.$queryRaw<object[]>`SELECT 1 FROM integrity_cursor WHERE pool = ${pool}`;
  return taken ? 'taken' : undefined;
}

/**
 * Begins to follow a generation of ratings a bounded number of events ago. One that another process began meanwhile stays: set
 * back, its matches would count twice.
 */
async function begin(tx: Sql, { name, generation }: RatingPool): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO integrity_cursor (pool, generation, through, mark, mark_xid)
    SELECT ${name}, ${generation}::int, coalesce(first, 0), coalesce(first, 0), pg_current_xact_id()::text::bigint FROM (SELECT (
      SELECT sequence FROM rating_event WHERE pool = ${name} ORDER BY sequence DESC OFFSET ${lookBack}::int LIMIT 1) AS first) AS from_here
    ON CONFLICT (pool) DO UPDATE SET generation = EXCLUDED.generation, through = EXCLUDED.through, mark = EXCLUDED.mark,
      mark_xid = EXCLUDED.mark_xid
    WHERE integrity_cursor.generation <> EXCLUDED.generation`;
}

async function newestEvent(tx: Sql, pool: string): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ sequence: bigint }[]>`
    SELECT sequence FROM rating_event WHERE pool = ${pool} ORDER BY sequence DESC LIMIT 1`;
  return row?.sequence ?? 0n;
}

/** Sets the next mark. */
async function remark(tx: Sql, pool: string, mark: bigint): Promise<void> {
  await tx.$executeRaw`
    UPDATE integrity_cursor SET mark = ${mark}::bigint, mark_xid = pg_current_xact_id()::text::bigint WHERE pool = ${pool}`;
}

interface EventRow {
  sequence: bigint;
  event_id: string;
  teams: string[][] | null;
  situation: Situation | null;
  ranks: number[] | null;
  chances: number[] | null;
  before: Record<string, SkillBelief> | null;
  server: string | null;
}

async function nextEvents(
  tx: Sql,
  { name, generation }: RatingPool,
  through: bigint,
  mark: bigint,
  limit: number,
): Promise<EventRow[]> {
  return tx.$queryRaw<EventRow[]>`
    WITH event AS MATERIALIZED (
      SELECT sequence, kind, event_id, detail->'teams' AS teams, detail->'played'->'situation' AS situation FROM rating_event
      WHERE pool = ${name} AND sequence > ${through}::bigint AND sequence <= ${mark}::bigint ORDER BY sequence LIMIT ${limit}::int
    )
    SELECT event.sequence, event.event_id, teams, situation, rated.ranks, rated.chances, before.of AS before, server
    FROM event
    LEFT JOIN LATERAL (
      SELECT ranks, chances FROM rated_match
      WHERE pool = ${name} AND generation = ${generation} AND rated_match.sequence = event.sequence
    ) AS rated ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_object_agg(player_id, jsonb_build_object('mu', change.before->'mu', 'sigma', change.before->'sigma')) AS of
      FROM rating_change AS change
      WHERE pool = ${name} AND generation = ${generation} AND change.kind = event.kind AND change.event_id = event.event_id
    ) AS before ON rated.ranks IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT server_id AS server FROM match WHERE id = event.event_id
    ) AS played ON rated.ranks IS NOT NULL
    ORDER BY event.sequence`;
}

/** A rated match of the generation; nothing for other events, and for matches that the generation leaves out. */
function matchOf({
  sequence,
  event_id,
  teams,
  situation,
  ranks,
  chances,
  before,
  server,
}: EventRow): WatchedMatch[] {
  if (!teams || !ranks || !chances) return [];
  const beliefs = new Map(Object.entries(before ?? {}));
  return [
    {
      matchId: event_id,
      sequence: Number(sequence),
      teams,
      ranks,
      chances,
      before: teams.map((team) => team.map((playerId) => beliefs.get(playerId) ?? null)),
      server,
      ...(situation ? { situation } : {}),
    },
  ];
}

async function loadWatches(
  tx: Sql,
  { name, generation }: RatingPool,
  matches: readonly WatchedMatch[],
): Promise<{ players: Map<string, PlayerWatch>; servers: Map<string, ServerWatch> }> {
  const playerIds = [...new Set(matches.flatMap(({ teams }) => teams.flat()))];
  const serverIds = [...new Set(matches.flatMap(({ server }) => server ?? []))];
  const rows = await tx.$queryRaw<{ kind: string; subject: string; state: unknown }[]>`
    SELECT kind, subject, state FROM integrity_watch
    WHERE pool = ${name} AND generation = ${generation} AND kind = 'player' AND subject = ANY(ARRAY(SELECT unnest(${playerIds}::text[])))
    UNION ALL SELECT kind, subject, state FROM integrity_watch
    WHERE pool = ${name} AND generation = ${generation} AND kind = 'server' AND subject = ANY(ARRAY(SELECT unnest(${serverIds}::text[])))`;
  // Only this file writes the column, from values of these types.
  const of = <W>(kind: string): Map<string, W> =>
    new Map(rows.flatMap((row) => (row.kind === kind ? [[row.subject, row.state as W] as const] : [])));
  return { players: of<PlayerWatch>('player'), servers: of<ServerWatch>('server') };
}

async function saveWatches(
  tx: Sql,
  { name, generation }: RatingPool,
  changed: readonly object[],
  now: number,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO integrity_watch (pool, kind, subject, generation, state, seen_at)
    SELECT ${name}, kind, subject, ${generation}::int, state, ${new Date(now)}
    FROM jsonb_to_recordset(${JSON.stringify(changed, shorter)}::jsonb) AS row(kind text, subject text, state jsonb)
    ON CONFLICT (pool, kind, subject) DO UPDATE SET generation = EXCLUDED.generation, state = EXCLUDED.state, seen_at = EXCLUDED.seen_at`;
}

/** Six digits are more than evidence needs, and halve what is stored. */
function shorter(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

/** Up to which event subjects were judged, of those that are still ahead: a ledger that is followed again skips it. */
async function judgedAfter(tx: Sql, pool: string, through: bigint): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ kind: SignalKind; subject: string; judged: bigint }[]>`
    SELECT kind, subject, max(closed_through) AS judged FROM integrity_case
    WHERE pool = ${pool} AND state = 'closed' AND closed_through > ${through}::bigint GROUP BY kind, subject`;
  return new Map(rows.map(({ kind, subject, judged }) => [`${kind} ${subject}`, Number(judged)]));
}

function contextOf(pool: RatingPool, judged: ReadonlyMap<string, number>): WatchContext {
  const { model, start } = opened(pool);
  return {
    start,
    thresholds: signalThresholds,
    levelChances: (match, team, player) => levelChances(model, start, pool.calibration, match, team, player),
    isClosed: (kind, subject, sequence) => sequence <= (judged.get(`${kind} ${subject}`) ?? -1),
  };
}
