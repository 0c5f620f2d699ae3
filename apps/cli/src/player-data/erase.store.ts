import { type Db, type Sql, transact, sqlPart, verbatim, type SqlPart } from '@muster/db';
import { own, type Json } from '@muster/domain';
import { noteCommand } from '../database/audit.store.js';
import { eraseAudit, eraseEvidence, eraseMeetings } from './erase-evidence.store.js';
import { asSentence } from '@muster/command-line/terminal/sentence';
import { renamedEvent, renamedFacts, renamedIn, renamedText, type Rename } from './rename.js';

/** Matches whose stored values are rewritten at once. */
const matchesAtOnce = 200;
const eventsAtOnce = 1_000;

/** Why a player cannot be erased now, as a sentence for people. */
export class ErasureRefused extends Error {}

/**
 * Erases a player from all tables in one transaction. What only concerns the player is deleted; where others' ratings or matches
 * need the row, a pseudonym takes the place of the id. Results of the player's pools wait meanwhile.
 *
 * @returns rows that were changed, by table
 * @throws ErasureRefused while the player is in a match, under a legal hold, or in a pool that is being rebuilt
 */
export function erasePlayer(
  db: Db,
  rename: Rename,
  { by, reason, now }: { by: string; reason: string; now: number },
): Promise<Readonly<Record<string, number>>> {
  return transact(db, async (tx) => {
    // The ledger is append-only for everybody else: see the triggers.
    await tx.$executeRaw`SELECT set_config('muster.erasure', 'on', true)`;
    const pools = await holdPools(tx);
    await refuseIfBusy(tx, rename.id, pools);
    const rows = {
      ...(await eraseRatings(tx, rename, pools)),
      ...(await eraseMatches(tx, rename)),
      ...(await eraseOwn(tx, rename)),
      ...(await eraseEvidence(tx, rename.id)),
      ...(await eraseAudit(tx, rename)),
    };
    await eraseMentions(tx, rename);
    await tx.$executeRaw`
      INSERT INTO erasure (alias, by, reason, erased_at, rows)
      VALUES (${rename.alias}, ${by}, ${renamedText(reason, rename)}, ${new Date(now)}, ${JSON.stringify(rows)}::jsonb)`;
    await noteCommand(tx, {
      call: 'erasePlayer',
      target: rename.alias,
      reason: renamedText(reason, rename),
      who: by,
    });
    return rows;
  });
}

interface HeldPool {
  readonly name: string;
  readonly generations: number;
}

/** The pools to this transaction alone, as a rebuild that comes into force takes them. */
async function holdPools(tx: Sql): Promise<HeldPool[]> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(name, 0))::text FROM (SELECT name FROM rating_pool ORDER BY name) AS pool`;
  return tx.$queryRaw<HeldPool[]>`
    SELECT name, next_generation AS generations FROM rating_pool ORDER BY name FOR UPDATE`;
}

async function refuseIfBusy(tx: Sql, id: string, pools: readonly HeldPool[]): Promise<void> {
  const [hold] = await tx.$queryRaw<{ reason: string; by: string }[]>`
    SELECT reason, by FROM legal_hold WHERE player_id = ${id}`;
  if (hold)
    throw new ErasureRefused(
      `${id} is under a legal hold by ${hold.by}: ${asSentence(hold.reason)} "muster players release ${id}" ends it.`,
    );
  const [live] = await tx.$queryRaw<{ match_id: string }[]>`
    SELECT match_id FROM live_player WHERE player_id = ${id} FOR UPDATE`;
  if (live)
    throw new ErasureRefused(`${id} is in match ${live.match_id}; erase the player when it is rated.`);
  const names = pools.map(({ name }) => name);
  const [rebuild] = await tx.$queryRaw<{ pool: string }[]>`
    SELECT pool FROM pool_rebuild WHERE state = 'running' AND pool = ANY(${names}::text[]) LIMIT 1`;
  if (rebuild)
    throw new ErasureRefused(`"${rebuild.pool}" is being rebuilt; erase the player when that is done.`);
}

/** Ratings and the ledger, in every generation: a pseudonym keeps every input of others' ratings. */
async function eraseRatings(
  tx: Sql,
  rename: Rename,
  pools: readonly HeldPool[],
): Promise<Record<string, number>> {
  const { id, alias } = rename;
  const of = { rating: 0, rating_change: 0, rating_event: 0, season_standing: 0, booster: 0 };
  for (const { name, generations } of pools) {
    // All generations by number: the key begins with pool and generation.
    const all = sqlPart`pool = ${name} AND generation = ANY(ARRAY(SELECT generate_series(1, ${generations}::int))) AND player_id = ${id}`;
    const sequences = await tx.$queryRaw<{ sequence: bigint }[]>(
      sqlPart`SELECT DISTINCT sequence FROM rating_change WHERE ${all} ORDER BY sequence`,
    );
    for (let i = 0; i < sequences.length; i += eventsAtOnce)
      of.rating_event += await rewriteEvents(
        tx,
        rename,
        sequences.slice(i, i + eventsAtOnce).map(({ sequence }) => sequence),
      );
    of.rating_change += await tx.$executeRaw(
      sqlPart`UPDATE rating_change SET player_id = ${alias} WHERE ${all}`,
    );
    of.rating += await tx.$executeRaw(sqlPart`UPDATE rating SET player_id = ${alias} WHERE ${all}`);
    of.season_standing += await tx.$executeRaw`
      UPDATE season_standing SET player_id = ${alias}
      WHERE pool = ${name} AND season = ANY(ARRAY(SELECT number FROM season WHERE pool = ${name})) AND player_id = ${id}`;
    // What an operator wrote may name the player.
    of.booster += await tx.$executeRaw`
      UPDATE booster SET player_id = ${alias}, reason = '', revoked_reason = CASE WHEN revoked_reason IS NULL THEN NULL ELSE '' END
      WHERE pool = ${name} AND player_id = ${id}`;
  }
  return of;
}

async function rewriteEvents(tx: Sql, rename: Rename, sequences: readonly bigint[]): Promise<number> {
  const events = await tx.$queryRaw<{ sequence: bigint; kind: string; detail: Json }[]>`
    SELECT sequence, kind, detail FROM rating_event WHERE sequence = ANY(${[...sequences]}::bigint[])`;
  await eraseMeetings(tx, rename, [...new Set(events.flatMap(({ detail }) => playersIn(detail)))]);
  const rows = events.map(({ sequence, kind, detail }) => ({
    sequence: String(sequence),
    detail: renamedEvent(kind, detail, rename),
  }));
  return tx.$executeRaw`
    UPDATE rating_event SET detail = row.detail FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(sequence bigint, detail jsonb)
    WHERE rating_event.sequence = row.sequence AND rating_event.sequence = ANY(${[...sequences]}::bigint[])`;
}

/** The players of a match of the ledger; nobody for other events. */
function playersIn(detail: Json): string[] {
  const teams = isRow(detail) ? own(detail, 'teams') : undefined;
  if (!Array.isArray(teams)) return [];
  return teams.flat().filter((each): each is string => typeof each === 'string');
}

const isRow = (value: Json): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The player's matches, with all that is stored about them. */
async function eraseMatches(tx: Sql, rename: Rename): Promise<Record<string, number>> {
  const { id, alias } = rename;
  const found = await tx.$queryRaw<{ match_id: string }[]>`
    SELECT match_id FROM match_player WHERE player_id = ${id}`;
  const ids = found.map(({ match_id }) => match_id);
  for (let i = 0; i < ids.length; i += matchesAtOnce)
    await rewriteMatches(tx, rename, ids.slice(i, i + matchesAtOnce));
  const match_player = await tx.$executeRaw`
    UPDATE match_player SET player_id = ${alias}, ticket_id = NULL, attributes = NULL WHERE player_id = ${id}`;
  return { match: ids.length, match_player };
}

/** Values about matches, by table: columns that identify a row, its columns of JSON, and where its match is. */
const aboutMatches = [
  {
    table: 'match',
    keys: ['id'],
    json: ['split', 'why_messages', 'blame', 'close_messages'],
    texts: ['close_reason'],
    match: 'id',
  },
  { table: 'balance_order', keys: ['match_id', 'number'], json: ['body'], texts: [], match: 'match_id' },
  { table: 'result', keys: ['session_id'], json: ['body'], texts: [], match: 'match_id' },
  {
    table: 'result_conflict',
    keys: ['id'],
    json: ['body', 'messages'],
    texts: ['reason', 'decided_why'],
    match: 'match_id',
  },
  { table: 'session', keys: ['id'], json: ['chosen'], texts: ['reason'], match: 'match_id' },
] as const;

type Row = Record<string, Json>;

async function rewriteMatches(tx: Sql, rename: Rename, ids: readonly string[]): Promise<void> {
  const roster = await tx.$queryRaw<{ match_id: string; player_id: string }[]>`
    SELECT match_id, player_id FROM match_player WHERE match_id = ANY(${[...ids]}::text[])`;
  const rosters = new Map<string, Set<string>>(ids.map((matchId) => [matchId, new Set()]));
  for (const { match_id, player_id } of roster) rosters.get(match_id)?.add(player_id);
  for (const { table, match, ...columns } of aboutMatches) {
    const where = sqlPart`${verbatim(match)} = ANY(${[...ids]}::text[])`;
    await rewrite(tx, table, { ...columns, match }, where, rename, rosters);
  }
  const commands = sqlPart`session_id = ANY(ARRAY(SELECT id FROM session WHERE match_id = ANY(${[...ids]}::text[])))`;
  const ofCommands = { keys: ['server_id', 'seq'], json: ['payload'], texts: [], match: 'session_id' };
  await rewrite(tx, 'command', ofCommands, commands, rename, rosters);
  // The search for a newcomer's level holds the matches that it was found from, with all their players.
  const players = [...new Set(roster.map(({ player_id }) => player_id))];
  const searches = sqlPart`pool = ANY(ARRAY(SELECT name FROM rating_pool)) AND player_id = ANY(${players}::text[]) AND player_id <> ${rename.id}`;
  const ofSearches = { keys: ['pool', 'player_id'], json: ['search'], texts: [], match: 'pool' };
  await rewrite(tx, 'calibration_search', ofSearches, searches, rename, rosters);
  await rewriteOwn(tx, rename, ids);
}

interface Columns {
  readonly keys: readonly string[];
  readonly json: readonly string[];
  readonly texts: readonly string[];
  readonly match: string;
}

/** Replaces the id in rows of a table. Rows that do not name it stay as they are. */
async function rewrite(
  tx: Sql,
  table: string,
  { keys, json, texts, match }: Columns,
  where: SqlPart,
  rename: Rename,
  rosters: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const name = (column: string): string => `"${column}"`;
  const all = [...keys, ...json, ...texts];
  const rows = await tx.$queryRaw<{ row: Row; match: string }[]>(
    sqlPart`SELECT jsonb_build_object(${verbatim(all.map((each) => `'${each}', ${name(each)}`).join(', '))}) AS row, ${verbatim(name(match))} AS match
      FROM ${verbatim(name(table))} WHERE ${where}`,
  );
  const none: ReadonlySet<string> = new Set();
  const changed = rows.flatMap(({ row, match: of }) => {
    const roster = rosters.get(of) ?? none;
    const values = [...json, ...texts].map(
      (each) => [each, renamedIn(own(row, each) ?? null, rename, roster)] as const,
    );
    const isSame = values.every(
      ([each, value]) => JSON.stringify(value) === JSON.stringify(own(row, each) ?? null),
    );
    return isSame ? [] : [{ ...row, ...Object.fromEntries(values) }];
  });
  if (changed.length === 0) return;
  // A column of JSON that is null stays null: jsonb_populate_recordset reads it so.
  await tx.$executeRaw(
    sqlPart`UPDATE ${verbatim(name(table))} AS old SET ${verbatim([...json, ...texts].map((each) => `${name(each)} = row.${name(each)}`).join(', '))}
      FROM jsonb_populate_recordset(NULL::${verbatim(name(table))}, ${JSON.stringify(changed)}::jsonb) AS row
      WHERE ${verbatim(keys.map((each) => `old.${name(each)} = row.${name(each)}`).join(' AND '))}`,
  );
}

/** What a match holds in a form of its own: sentences, and the facts that its rating was made from. */
async function rewriteOwn(tx: Sql, rename: Rename, ids: readonly string[]): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string; why: string[] | null; played: Json }[]>`
    SELECT id, why, played FROM match WHERE id = ANY(${[...ids]}::text[]) AND (why IS NOT NULL OR played IS NOT NULL)`;
  const after = rows.map(({ id, why, played }) => ({
    id,
    why: (why ?? []).map((sentence) => renamedText(sentence, rename)),
    played: renamedFacts(played, rename),
  }));
  await tx.$executeRaw`
    UPDATE match SET why = row.why, played = row.played
    FROM jsonb_to_recordset(${JSON.stringify(after)}::jsonb) AS row(id text, why text[], played jsonb)
    WHERE match.id = row.id AND match.id = ANY(${[...ids]}::text[])`;
  // Voids and events of an operator have reasons as text.
  const voids = await tx.$queryRaw<{ sequence: bigint }[]>`
    SELECT sequence FROM rating_event WHERE event_id = ANY(${[...ids]}::text[]) AND kind = 'void'`;
  if (voids.length > 0)
    await rewriteEvents(
      tx,
      rename,
      voids.map(({ sequence }) => sequence),
    );
}

/** What concerns only the player. Reports by the player count for others, so they stay, without author and text. */
async function eraseOwn(tx: Sql, { id, alias }: Rename): Promise<Record<string, number>> {
  const erase = (table: string, where = sqlPart`player_id = ${id}`): Promise<number> =>
    tx.$executeRaw(sqlPart`DELETE FROM ${verbatim(table)} WHERE ${where}`);
  const ofPools = sqlPart`pool = ANY(ARRAY(SELECT name FROM rating_pool)) AND player_id = ${id}`;
  const reportsAbout = await erase('behaviour_report', sqlPart`reported = ${id}`);
  const reportsBy = await tx.$executeRaw`
    UPDATE behaviour_report SET reporter = ${alias}, note = NULL
    WHERE match_id = ANY(ARRAY(SELECT match_id FROM match_player WHERE player_id = ${alias})) AND reporter = ${id}`;
  return {
    party: await erase('party', sqlPart`leader = ${id}`),
    party_member: await erase('party_member'),
    party_invitation: await erase('party_invitation'),
    avoided_player: await erase('avoided_player', sqlPart`player_id = ${id} OR avoided_id = ${id}`),
    behaviour_report: reportsAbout + reportsBy,
    penalty: await erase('penalty'),
    player_ban: await erase('player_ban'),
    player_name: await erase('player_name'),
    player_request: await erase('player_request'),
    calibration_search: await erase('calibration_search', ofPools),
  };
}

/** Tables of few or short-lived rows in which a player may be named outside their own matches; each is read whole. */
const mentioning = [
  { table: 'proposal_verdict', keys: ['match_id'], json: ['messages'], texts: ['reason'], match: 'match_id' },
  { table: 'outbox', keys: ['owner', 'id'], json: ['payload'], texts: [], match: 'job_id' },
  { table: 'outbox_sent', keys: ['owner', 'id'], json: ['payload'], texts: [], match: 'job_id' },
  { table: 'event_outbox', keys: ['id'], json: ['data'], texts: ['order_key'], match: 'order_key' },
  { table: 'event_log', keys: ['position'], json: ['data'], texts: ['order_key'], match: 'order_key' },
  {
    table: 'webhook_delivery',
    keys: ['webhook_id', 'position'],
    json: [],
    texts: ['order_key'],
    match: 'order_key',
  },
  { table: 'pool_rebuild', keys: ['id'], json: ['reason_messages'], texts: ['reason'], match: 'id' },
  {
    table: 'audit_entry',
    keys: ['id'],
    json: ['asked', 'before', 'after'],
    texts: ['reason'],
    match: 'call',
  },
  { table: 'season', keys: ['pool', 'number'], json: [], texts: ['reason'], match: 'pool' },
] as const;

async function eraseMentions(tx: Sql, rename: Rename): Promise<void> {
  for (const { table, ...columns } of mentioning) {
    const texts = [...columns.json, ...columns.texts].map((each) => `"${each}"::text`).join(', ');
    const where = sqlPart`strpos(concat_ws(' ', ${verbatim(texts)}), ${rename.id}) > 0`;
    await rewrite(tx, table, columns, where, rename, new Map());
  }
  const seasons = await tx.$queryRaw<{ sequence: bigint }[]>`
    SELECT event.sequence FROM season JOIN rating_event AS event ON event.pool = season.pool AND kind = 'season' AND event_id = 'season-' || number
    WHERE strpos(event.detail::text, ${rename.id}) > 0`;
  if (seasons.length > 0)
    await rewriteEvents(
      tx,
      rename,
      seasons.map(({ sequence }) => sequence),
    );
}
