import type { Db } from './prisma.js';

/** The extent of a history made by the database. */
export interface Extent {
  readonly matches: number;
  readonly players: number;
  /** The newest matches, whose sessions, commands, results and verdicts retention has left. */
  readonly recent: number;
}

/** Tables that grow with matches or players. */
export const growing: readonly string[] = [
  'allocation',
  'behaviour_report',
  'calibration_search',
  'command',
  'event_log',
  'match',
  'match_player',
  'penalty',
  'player_habit',
  'proposal_verdict',
  'rated_match',
  'rating',
  'rating_change',
  'rating_event',
  'result',
  'session',
  'webhook_delivery',
];

const day = `interval '1 day'`;
const time = `to_timestamp(1500000000 + i)`;
/** A multiplier that scatters players over matches; no number of players is a multiple of it. */
const player = (t: number | string): string => `'old-' || (i * 7919 + ${t} * 104729) % $players`;
const recent = `generate_series($matches - $recent + 1, $matches) AS i`;
const all = `generate_series(1, $matches) AS i`;

/**
 * The rows of a history, by table: matches of one against one, one a second, all over. One in 50 was abandoned, and one in
 * 10,000 is void. One in 20 is of a second pool. JSON that no statement searches is short.
 */
const rows: Readonly<Record<string, string>> = {
  rating: `(pool, generation, player_id, state, matches, updated_at)
    SELECT 'ladder', 1, 'old-' || i, '{"mu": 25, "sigma": 8}', 5, now() FROM generate_series(0, $players - 1) AS i`,
  server: `(id, region, build, host, port, slots, state, heartbeat_at, registered_at)
    SELECT 'old-' || i, 'eu', 'b0', 'h', 1, 100, 'lost', to_timestamp(0), to_timestamp(0) FROM generate_series(1, 200) AS i`,
  match: `(id, origin, pool, external_id, state, regions, why, prediction, ranks, server_id, session_id, formed_at, placed_at, ended_at, closed_at)
    SELECT 'old-' || i, 'queue', CASE WHEN i % 20 = 0 THEN 'second' ELSE 'ladder' END, 'ext-old-' || i,
      CASE WHEN i % 10000 = 0 THEN 'void' WHEN i % 50 = 0 THEN 'abandoned' ELSE 'rated' END, '{}', '{}', '{0.5,0.5}', '{1,2}',
      'old-' || 1 + i % 200, 'old-' || i, ${time}, ${time}, CASE WHEN i % 50 = 0 THEN NULL ELSE ${time} END, ${time} FROM ${all}`,
  match_player: `(match_id, player_id, team, mu, sigma, formed_at)
    SELECT 'old-' || i, ${player('t')}, t, 25, 8, ${time} FROM ${all}, generate_series(0, 1) AS t`,
  proposal_verdict: `(match_id, outcome, decided_at) SELECT 'old-' || i, 'formed', ${time} FROM ${recent}`,
  session: `(id, match_id, server_id, slot_ordinal, state, incarnation, reserved_at, answer_by, live_at, closed_at)
    SELECT 'old-' || i, 'old-' || i, 'old-' || 1 + i % 200, i % 100, 'ended', 1, ${time}, ${time}, ${time}, ${time} FROM ${recent}`,
  allocation: `(id, provider, build, need, reason, state, server_id, asked_at, give_up_at, closed_at)
    SELECT 'old-' || i, 'p', 'b0', 'eu', 'r', 'released', 'old-' || 1 + i % 200, ${time}, ${time}, ${time} FROM ${recent}`,
  command: `(server_id, seq, session_id, kind, payload, state, created_at)
    SELECT 'old-' || 1 + i % 200, i, 'old-' || i, 'create-session', '{}', 'done', ${time} FROM ${recent}`,
  result: `(session_id, match_id, digest, body, received_at) SELECT 'old-' || i, 'old-' || i, 'd', '{}', ${time} FROM ${recent}`,
  rating_event: `(sequence, pool, kind, event_id, at, detail)
    SELECT i - 1000000000, 'ladder', 'match', 'old-' || i, ${time}, '{}' FROM ${all}`,
  rating_change: `(pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
    SELECT 'ladder', 1, 'match', 'old-' || i, ${player('t')}, i - 1000000000, '{"mu": 25, "sigma": 8}', '{"mu": 25, "sigma": 8}', 1, ${time}
    FROM ${all}, generate_series(0, 1) AS t`,
  rated_match: `(pool, generation, sequence, version, at, ranks, raw, chances, features, drift, newcomers, converged)
    SELECT 'ladder', 1, i - 1000000000, 1, ${time}, '{1,2}', '{0.5,0.5}', '{0.5,0.5}', '[{}, {}]', 0.1, i % 2, 0 FROM ${all}`,
  penalty: `(id, player_id, kind, match_id, queue, at)
    SELECT 'old-' || i, ${player(0)}, 'no-show', 'old-' || 10 * i, 'ranked', ${time} FROM generate_series(1, $matches / 10) AS i`,
  behaviour_report: `(match_id, reporter, reported, kind, weight, at)
    SELECT 'old-' || 10 * i, ${player(0)}, ${player(1)}, 'sabotage', 1, ${time} FROM generate_series(1, $matches / 10) AS i`,
  player_habit: `(pool, player_id, kind, code, first_seen_at, seen_at)
    SELECT 'ladder', 'old-' || i, kind, kind || '-' || i / 3, now(), now()
    FROM generate_series(0, $players - 1) AS i, unnest(ARRAY['device', 'network']) AS kind`,
  event_log: `(position, event_id, type, version, order_key, at, data, logged_at)
    SELECT i, 'evt_' || i, CASE WHEN i % 50 = 0 THEN 'match.abandoned' ELSE 'match.rated' END, 1, 'old-' || i / 5, ${time}, '{}', ${time} FROM ${all}`,
  event_bounds: `(id, last) SELECT 1, $matches`,
  webhook: `(id, url, types, secrets) SELECT 'whk_' || i, 'https://game.example/', '{}', '[]' FROM generate_series(1, 2) AS i`,
  webhook_delivery: `(webhook_id, position, order_key, state, attempts, next_at, first_at, last_at, error)
    SELECT 'whk_' || w, i, 'old-' || i / 5, CASE WHEN w = 2 OR i % 20 > 1 THEN 'delivered' WHEN i % 20 = 1 THEN 'due' ELSE 'dead' END,
      1, ${time}, ${time}, ${time}, CASE WHEN w = 1 THEN 'away' END FROM ${all}, generate_series(1, 2) AS w`,
  calibration_search: `(pool, player_id, search, match_ids, state, updated_at)
    SELECT 'ladder', 'old-' || i, '{}', '{}', 'seeded', now() - ${day} FROM generate_series(0, $players - 1) AS i`,
};

/**
 * Statements that write a history, by table. Constraint triggers and those that fill columns in are skipped, since all columns are given.
 *
 * @returns a list of the table and its statement
 */
export function historyStatements({ matches, players, recent: kept }: Extent): [string, string][] {
  const numbers = {
    $matches: matches,
    $players: players,
    $recent: Math.min(kept, matches),
  };
  return Object.entries(rows).map(([table, select]) => {
    const sql = Object.entries(numbers).reduce(
      (text, [name, value]) => text.replaceAll(name, `${value}::bigint`),
      `INSERT INTO ${table} ${select}`,
    );
    return [table, sql];
  });
}

/** Writes a small history, with statistics. The pool `ladder` is the caller's. */
export async function fillHistory(db: Db, extent: Extent): Promise<void> {
  const statements = historyStatements(extent).map(([, sql]) => `${sql};`);
  await db.$executeRawUnsafe(`DO $$ BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
    ${statements.join('\n')} END $$`);
  await db.$executeRawUnsafe('ANALYZE');
}

/**
 * Gives tables the statistics of a longer history: the planner multiplies rows per page, as recorded, by the pages that a file
 * has. Shares, such as those of states, stay as `ANALYZE` found them.
 *
 * The planner still sees the files' pages, which are few: reading a table whole is estimated at its rows alone, less than in
 * truth. So a plan that scans here might not there, and hardly the other way round.
 */
export async function pretend(db: Db, made: Extent, wanted: Extent): Promise<void> {
  const factor = (table: string): number =>
    ofPlayers.includes(table) ? wanted.players / made.players : wanted.matches / made.matches;
  for (const table of growing) {
    // Autovacuum would measure anew.
    await db.$executeRawUnsafe(`ALTER TABLE "${table}" SET (autovacuum_enabled = off)`);
    await db.$executeRaw`
      UPDATE pg_class SET reltuples = reltuples * ${factor(table)}::float4
      WHERE oid = ${table}::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ${table}::regclass)`;
  }
  // A number of distinct values of a tenth of a table and less is recorded as such, else as a share of the rows.
  for (const [table, column] of playerColumns)
    await db.$executeRaw`
      UPDATE pg_statistic SET stadistinct = ${wanted.players}::float4 WHERE starelid = ${table}::regclass
        AND staattnum = (SELECT attnum FROM pg_attribute WHERE attrelid = ${table}::regclass AND attname = ${column})`;
}

const ofPlayers = ['rating', 'calibration_search', 'player_habit'];

const playerColumns = [
  ['match_player', 'player_id'],
  ['rating_change', 'player_id'],
  ['penalty', 'player_id'],
  ['behaviour_report', 'reporter'],
  ['behaviour_report', 'reported'],
] as const;

/** Rows and index entries of growing tables that a step reads. The connections must be one. */
export async function rowsReadBy(db: Db, step: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(db);
  await step();
  return (await rowsRead(db)) - before;
}

async function rowsRead(db: Db): Promise<number> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await db.$queryRaw<{ read: number }[]>`
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + (
      SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS index WHERE index.relid = tables.relid))::int AS read
    FROM pg_stat_user_tables AS tables WHERE relname = ANY(${[...growing]}::text[])`;
  return row?.read ?? 0;
}
