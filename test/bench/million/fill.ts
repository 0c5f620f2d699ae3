import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietly } from '../scale/history/fill.js';
import { regions } from './arrivals.js';
import type { Db } from '../../support/prisma.js';

/** What is made beside the players who arrive. */
export interface Extent {
  readonly matches: number;
  readonly servers: number;
  readonly slots: number;
  /** The duration of a match. */
  readonly playSeconds: number;
}

/** A match that was played in: its copies are the live matches. */
export interface ModelMatch {
  readonly matchId: string;
  readonly sessionId: string;
  readonly serverId: string;
  readonly region: string;
  readonly tickets: readonly { readonly ticketId: string; readonly playerIds: readonly string[] }[];
}

/** The build of servers and players. */
export const build = 'million';

/** Sessions and commands of a server are consecutive, so that a server's are known without a question. */
export function sessionsOf(server: number, { matches, servers }: Extent): string[] {
  const sessions: string[] = [];
  for (let match = server; match <= matches; match += servers)
    sessions.push(`ses_${String(match).padStart(36, '0')}`);
  return sessions;
}

/** The server of a match, both counted from 1. */
export function serverOf(match: number, { servers }: Extent): number {
  return 1 + ((match - 1) % servers);
}

export const serverId = (server: number): string => `server-${server}`;

const padded = (text: string): string => `lpad(${text}, 36, '0')`;
const server = (i: string, servers: number): string => `1 + (${i} - 1) % ${servers}`;
const regionOf = (number: string): string =>
  `(ARRAY[${regions.map((region) => `'${region}'`).join(',')}])[1 + (${number}) % ${regions.length}]`;

/** Established ratings, normally distributed, of the players `<prefix><from>` and so on: copies of a player's row. */
export async function fillRatings(
  db: Db,
  like: string,
  prefix: string,
  count: number,
  from = 0,
): Promise<void> {
  await quietly(
    db,
    `INSERT INTO rating (pool, generation, player_id, state, matches, division, last_rated_at, updated_at)
    SELECT pool, generation, '${prefix}' || i, jsonb_set(state, '{mu}', to_jsonb(25 + random_normal() * 25 / 3)), 100, division,
      last_rated_at, updated_at
    FROM rating, generate_series(${from}, ${from + count} - 1) AS i WHERE player_id = '${like}'`,
  );
}

/**
 * Writes servers and their live matches, each a copy of the rows of a match that is played: `mat_…1` and so on, with the
 * players `live-0` and so on. The servers count as heard until their first heartbeat.
 */
export async function fillMatches(db: Db, model: ModelMatch, extent: Extent): Promise<void> {
  const { matches, servers, slots, playSeconds } = extent;
  const began = `now() - ${playSeconds} * (i::float8 / ${matches}) * interval '1 second'`;
  const match = `'${prefixOf(model.matchId)}' || ${padded('i::text')}`;
  const session = `'ses_' || ${padded('i::text')}`;
  const number = server('i', servers);
  const ordinal = `(i - 1) / ${servers}`;
  const copies = `generate_series(1, ${matches}) AS i`;
  const players = model.tickets
    .flatMap(({ ticketId, playerIds }, t) => playerIds.map((playerId) => ({ ticketId, playerId, t })))
    .map(({ playerId, t }, p) => `('${playerId}', ${p}, ${t})`)
    .join(', ');
  const size = model.tickets.reduce((sum, { playerIds }) => sum + playerIds.length, 0);
  const player = `'live-' || ((i - 1) * ${size} + p)`;
  const copy = (table: string, row: string, of: string, more = ''): string =>
    `INSERT INTO ${table} SELECT copy.* FROM ${table} AS model ${more}, ${copies},
      LATERAL jsonb_populate_record(model, jsonb_build_object(${row})) AS copy WHERE model.${of}`;
  const ofModel = `match_id = '${model.matchId}'`;
  const seats = `JOIN (VALUES ${players}) AS seat (model_id, p, t) ON seat.model_id = model.player_id`;
  for (const sql of [
    `INSERT INTO server (id, region, build, host, port, slots, used_slots, state, command_seq, heartbeat_at, registered_at)
      SELECT '${serverId(1).slice(0, -1)}' || n, ${regionOf('n')}, '${build}', '127.0.0.1', 7777, ${slots}, mine, 'ready', mine,
        now() + interval '2 hours', now()
      FROM generate_series(1, ${servers}) AS n, LATERAL (SELECT (${matches} - n + ${servers}) / ${servers} AS mine) AS each`,
    copy(
      'match',
      `'id', ${match}, 'session_id', ${session}, 'server_id', 'server-' || ${number}, 'region', ${regionOf(number)},
        'proposed_at', ${began}, 'formed_at', ${began}, 'placed_at', ${began}`,
      `id = '${model.matchId}'`,
    ),
    copy(
      'match_player',
      `'match_id', ${match}, 'player_id', ${player}, 'formed_at', ${began},
        'ticket_id', 'tkt_' || ${padded(`i || '-' || t`)}`,
      ofModel,
      seats,
    ),
    copy('live_player', `'match_id', ${match}, 'player_id', ${player}`, ofModel, seats),
    copy('proposal_verdict', `'match_id', ${match}, 'decided_at', ${began}`, ofModel),
    copy(
      'session',
      `'id', ${session}, 'match_id', ${match}, 'server_id', 'server-' || ${number}, 'slot_ordinal', ${ordinal}, 'incarnation', 1,
        'reserved_at', ${began}, 'answer_by', ${began}, 'live_at', ${began}`,
      ofModel,
    ),
    copy(
      'command',
      `'server_id', 'server-' || ${number}, 'seq', 1 + ${ordinal}, 'session_id', ${session}, 'created_at', ${began}`,
      `session_id = '${model.sessionId}'`,
    ),
  ])
    await quietly(db, sql);
  await db.$executeRawUnsafe('VACUUM ANALYZE');
}

const prefixOf = (id: string): string => id.slice(0, id.indexOf('_') + 1);

/** The keys of a ticket with its values, in which names of the model stand as `@name@`. */
interface TicketTemplate {
  readonly ticketId: string;
  readonly players: readonly string[];
  /** The fields of its hash that are not in pieces, and their values, in turn. */
  readonly fields: readonly string[];
  /** The value that is stored in pieces: in fields of this name and a number. */
  readonly fixed: string;
  readonly log: readonly string[];
}

const pieceBytes = 64;
const matchesAtOnce = 100;
const callsAtOnce = 10;

/** Writes the tickets of matches: copies of the model's, with their logs, their players' holds and the proposal. */
const copyTickets = `
local model = cjson.decode(ARGV[1])
local from, to, servers = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function padded(text) return string.rep('0', 36 - #text) .. text end
for i = from, to do
  local number = 1 + (i - 1) % servers
  local names = { m = model.prefix .. padded(tostring(i)), s = 'ses_' .. padded(tostring(i)), h = 'server-' .. number,
    r = model.regions[1 + number % #model.regions] }
  for t = 0, #model.tickets - 1 do names['t' .. t] = 'tkt_' .. padded(i .. '-' .. t) end
  for p = 0, model.size - 1 do names['p' .. p] = 'live-' .. ((i - 1) * model.size + p) end
  local function named(text) return (string.gsub(text, '@(%w+)@', names)) end
  for _, ticket in ipairs(model.tickets) do
    local id, flat, log = named(ticket.ticketId), {}, {}
    for n, text in ipairs(ticket.fields) do flat[n] = named(text) end
    local fixed = named(ticket.fixed)
    for piece = 1, math.ceil(#fixed / ${pieceBytes}) do
      flat[#flat + 1] = 'f' .. piece
      flat[#flat + 1] = string.sub(fixed, (piece - 1) * ${pieceBytes} + 1, piece * ${pieceBytes})
    end
    redis.call('HSET', KEYS[1] .. ':ticket:' .. id, unpack(flat))
    for n, text in ipairs(ticket.log) do log[n] = named(text) end
    if #log > 0 then redis.call('RPUSH', KEYS[1] .. ':log:' .. id, unpack(log)) end
    for _, player in ipairs(ticket.players) do redis.call('SET', KEYS[1] .. ':player:' .. named(player), id) end
  end
  redis.call('HSET', KEYS[1] .. ':proposal:' .. names.m, 'tickets', named(model.proposal))
  redis.call('EXPIRE', KEYS[1] .. ':proposal:' .. names.m, 3600)
end
return redis.status_reply('OK')`;

/** Writes what Redis holds of live matches: copies of the keys of a match that is played. */
export async function fillTickets(redisUrl: string, model: ModelMatch, extent: Extent): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    const { root, text } = await templateOf(redis, model);
    const { matches, servers } = extent;
    for (let from = 1; from <= matches; from += matchesAtOnce * callsAtOnce)
      await Promise.all(
        Array.from({ length: callsAtOnce }, (_, n) => from + n * matchesAtOnce)
          .filter((first) => first <= matches)
          .map((first) =>
            redis.eval(
              copyTickets,
              1,
              root,
              text,
              first,
              Math.min(first + matchesAtOnce - 1, matches),
              servers,
            ),
          ),
      );
    await rewriteLog(redis);
  } finally {
    redis.disconnect();
  }
}

/** Has Redis write its log anew, as it does by itself later: a start reads it, and the load is not disturbed. */
async function rewriteLog(redis: Redis): Promise<void> {
  const isWriting = async (): Promise<boolean> =>
    /^aof_rewrite_(?:in_progress|scheduled):1/m.test(await redis.info('persistence'));
  while (await isWriting()) await sleep(500);
  await redis.bgrewriteaof();
  do await sleep(500);
  while (await isWriting());
}

/** Reads the keys of the model. @returns the root of the realm's keys, and the template as JSON */
async function templateOf(redis: Redis, model: ModelMatch): Promise<{ root: string; text: string }> {
  const root = await rootOf(redis, model.tickets[0]?.ticketId ?? '');
  const playerIds = model.tickets.flatMap((ticket) => ticket.playerIds);
  const names: [string, string][] = [
    [model.matchId, '@m@'],
    [model.sessionId, '@s@'],
    [`"${model.serverId}"`, '"@h@"'],
    [`"region":"${model.region}"`, '"region":"@r@"'],
    ...model.tickets.map(({ ticketId }, t): [string, string] => [ticketId, `@t${t}@`]),
    ...playerIds.map((playerId, p): [string, string] => [`"${playerId}"`, `"@p${p}@"`]),
  ];
  const named = (text: string): string => names.reduce((said, [from, to]) => said.replaceAll(from, to), text);
  const tickets: TicketTemplate[] = [];
  for (const { ticketId, playerIds: own } of model.tickets) {
    const hash = await redis.hgetall(`${root}:ticket:${ticketId}`);
    const isPiece = (name: string): boolean => /^f\d+$/.test(name);
    const pieces = Object.keys(hash).filter(isPiece).length;
    const log = await redis.lrange(`${root}:log:${ticketId}`, 0, -1);
    tickets.push({
      ticketId: named(ticketId),
      players: own.map((playerId) => `@p${playerIds.indexOf(playerId)}@`),
      fields: Object.entries(hash).flatMap(([name, value]) => (isPiece(name) ? [] : [name, named(value)])),
      fixed: named(Array.from({ length: pieces }, (_, n) => hash[`f${n + 1}`]).join('')),
      log: log.map(named),
    });
  }
  const proposal = named((await redis.hget(`${root}:proposal:${model.matchId}`, 'tickets')) ?? '[]');
  const template = {
    prefix: prefixOf(model.matchId),
    size: playerIds.length,
    regions,
    tickets,
    proposal,
  };
  return { root, text: JSON.stringify(template) };
}

/** The keys of a realm have one root. @throws Error if the ticket is not there */
async function rootOf(redis: Redis, ticketId: string): Promise<string> {
  const suffix = `:ticket:${ticketId}`;
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `*${suffix}`, 'COUNT', 1_000);
    const [key] = keys;
    if (key !== undefined) return key.slice(0, -suffix.length);
    cursor = next;
  } while (cursor !== '0');
  throw new Error(`Redis holds no ticket ${ticketId}`);
}
