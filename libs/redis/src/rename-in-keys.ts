import { Cluster, type Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './connect.js';

/** Keys that one script reads at a time. */
const keysAtOnce = 100;
const entriesAtOnce = 500;

/**
 * Replaces an id in the values of keys, wherever it stands alone. Streams are left out: their entries cannot be changed. Tickets
 * of the player are deleted with their logs: they have ended, and their text is cut into pieces, also within the id.
 * ARGV: the id, what takes its place, and 1 if texts are rewritten. @returns how many keys were changed and deleted, and the names
 * of those that are streams
 */
const renameScript = `
local id, alias, rewrites = ARGV[1], ARGV[2], ARGV[3] == '1'
local function part(c) return c ~= '' and c:find('^[%w_@-]') ~= nil end
local function swapped(text)
  if not text:find(id, 1, true) then return text end
  local out, from, at = {}, 1, 1
  while true do
    local first, last = text:find(id, at, true)
    if not first then break end
    local before, after = text:sub(first - 1, first - 1), text:sub(last + 1, last + 1)
    if first == 1 then before = '' end
    local inside = part(before) or part(after)
      or (first > 2 and (before == '.' or before == ':') and part(text:sub(first - 2, first - 2)))
      or ((after == '.' or after == ':') and part(text:sub(last + 2, last + 2)))
    if not inside then
      out[#out + 1] = text:sub(from, first - 1) .. alias
      from = last + 1
    end
    at = last + 1
  end
  return table.concat(out) .. text:sub(from)
end
-- The text that a ticket's hash has in pieces, by the first letter of their fields (see ticket-fields.mjs of the queue).
local function joined(fields, letter)
  local pieces = {}
  while fields[letter .. (#pieces + 1)] do pieces[#pieces + 1] = fields[letter .. (#pieces + 1)] end
  return table.concat(pieces), #pieces
end
local function is_of_player(fixed)
  local ok, list = pcall(cjson.decode, fixed)
  if not ok or type(list) ~= 'table' or type(list[6]) ~= 'table' then return false end
  for _, player in ipairs(list[6]) do
    if type(player) == 'table' and player[1] == id then return true end
  end
  return false
end
local function write_pieces(key, letter, text, before)
  local count = math.ceil(#text / 64)
  for i = 1, count do redis.call('HSET', key, letter .. i, text:sub(64 * i - 63, 64 * i)) end
  for i = count + 1, before do redis.call('HDEL', key, letter .. i) end
end
local changed, deleted, streams = 0, 0, {}
-- A ticket that names the player: as one of its players, or in what is said to others.
local function erase_ticket(key)
  local all, fields = redis.call('HGETALL', key), {}
  for i = 1, #all, 2 do fields[all[i]] = all[i + 1] end
  local fixed, count = joined(fields, 'f')
  if is_of_player(fixed) then
    deleted = deleted + redis.call('DEL', key, (key:gsub(':ticket:', ':log:', 1)))
    return false
  end
  if not rewrites then return false end
  local touched = false
  local after = swapped(fixed)
  if after ~= fixed then write_pieces(key, 'f', after, count) touched = true end
  local messages, pieces = joined(fields, 'w')
  if swapped(messages) ~= messages then
    -- Readers take the text of the reason in place of messages.
    for i = 1, pieces do redis.call('HDEL', key, 'w' .. i) end
    touched = true
  end
  for _, name in ipairs({ 'r', 'y', 'g' }) do
    local value = fields[name]
    if value and swapped(value) ~= value then redis.call('HSET', key, name, swapped(value)) touched = true end
  end
  return touched
end
for _, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  local touched = false
  if kind == 'hash' and key:find(':ticket:', 1, true) then
    touched = erase_ticket(key)
  elseif kind == 'hash' and key:find(':board:', 1, true) then
    -- A leaderboard holds ids alone, and may hold millions: the player leaves it.
    touched = redis.call('HDEL', key, id) == 1
    -- How far a board is that is being made: it begins again.
    if redis.call('HGET', key, 'through') == id then redis.call('HSET', key, 'through', '') touched = true end
  elseif kind == 'zset' and key:find(':board:', 1, true) then
    touched = redis.call('ZREM', key, id) == 1
  elseif not rewrites then
    touched = false
  elseif kind == 'string' then
    local value = redis.call('GET', key)
    local after = swapped(value)
    if after ~= value then redis.call('SET', key, after, 'KEEPTTL') touched = true end
  elseif kind == 'hash' then
    local all = redis.call('HGETALL', key)
    for i = 1, #all, 2 do
      local field, value = swapped(all[i]), swapped(all[i + 1])
      if field ~= all[i] then redis.call('HDEL', key, all[i]) end
      if field ~= all[i] or value ~= all[i + 1] then redis.call('HSET', key, field, value) touched = true end
    end
  elseif kind == 'list' then
    for i, value in ipairs(redis.call('LRANGE', key, 0, -1)) do
      local after = swapped(value)
      if after ~= value then redis.call('LSET', key, i - 1, after) touched = true end
    end
  elseif kind == 'set' then
    for _, value in ipairs(redis.call('SMEMBERS', key)) do
      local after = swapped(value)
      if after ~= value then redis.call('SREM', key, value) redis.call('SADD', key, after) touched = true end
    end
  elseif kind == 'zset' then
    local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
    for i = 1, #all, 2 do
      local after = swapped(all[i])
      if after ~= all[i] then redis.call('ZREM', key, all[i]) redis.call('ZADD', key, all[i + 1], after) touched = true end
    end
  elseif kind == 'stream' then
    streams[#streams + 1] = key
  end
  if touched then changed = changed + 1 end
end
return { changed, deleted, streams }`;

/** An id, what takes its place, and the keys that are the player's own: they are deleted. */
export interface KeyRename {
  readonly id: string;
  readonly alias: string;
  readonly own: readonly string[];
  /**
   * Whether texts are rewritten. False for an id that is also a word of the system, such as the name of a queue: texts do not tell
   * one from the other, so they keep it until they expire.
   */
  readonly rewrites: boolean;
}

/** What was replaced. */
export interface RenamedInKeys {
  /** Keys that were read. */
  readonly keys: number;
  readonly changed: number;
  /** Keys of the player, and entries of streams that named it. */
  readonly deleted: number;
}

/** Readers of streams have an entry after this time, or read the state instead, in milliseconds. */
const readAfterMs = 5_000;

/**
 * Removes an id from all keys of some patterns. Values are rewritten with another one in its place; keys of its own
 * and entries of streams are deleted. It reads every key once, a hundred at a time, while others work.
 *
 * @param patterns of SCAN; all keys of a pattern share a slot
 * @param onKeys called with the number of keys read so far
 */
export async function renameInKeys(
  redis: RedisConnection,
  patterns: readonly string[],
  { id, alias, own, rewrites }: KeyRename,
  onKeys: (keys: number) => void = () => undefined,
): Promise<RenamedInKeys> {
  const total = { keys: 0, changed: 0, deleted: 0 };
  const streams: { readonly node: Redis; readonly key: string }[] = [];
  for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis])
    for (const match of patterns)
      for await (const keys of pages(node, match)) {
        const gone = keys.filter((key) => own.includes(key));
        if (gone.length > 0) total.deleted += await node.del(...gone);
        const args = [id, alias, rewrites ? '1' : '0'];
        const answer: unknown = await node.eval(renameScript, keys.length, ...keys, ...args);
        const [changed = 0, deleted = 0, found = []] = answer as [number?, number?, string[]?];
        total.deleted += deleted;
        streams.push(...found.map((key) => ({ node, key })));
        total.keys += keys.length;
        total.changed += changed;
        onKeys(total.keys);
      }
  if (streams.length === 0 || !rewrites) return total;
  await sleep(readAfterMs);
  for (const { node, key } of streams) total.deleted += await deleteEntries(node, key, standingAlone(id));
  return total;
}

async function* pages(node: Redis, match: string): AsyncGenerator<string[]> {
  let cursor = '0';
  do {
    const [next, keys] = await node.scan(cursor, 'MATCH', match, 'COUNT', keysAtOnce);
    cursor = next;
    for (let i = 0; i < keys.length; i += keysAtOnce) yield keys.slice(i, i + keysAtOnce);
  } while (cursor !== '0');
}

/** Finds an id where it is not a part of another one, as the script does. */
function standingAlone(id: string): RegExp {
  const escaped = id.replaceAll(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`);
  const [part, end] = ['[A-Za-z0-9_@-]', '[.:]'];
  return new RegExp(`(?<!${part})(?<!${part}${end})${escaped}(?!${part}|${end}${part})`);
}

/** Deletes the entries of a stream that name an id. */
async function deleteEntries(node: Redis, stream: string, id: RegExp): Promise<number> {
  let deleted = 0;
  for (let from = '-'; ;) {
    const entries = await node.xrange(stream, from, '+', 'COUNT', entriesAtOnce);
    const naming = entries.filter(([, fields]) => fields.some((text) => id.test(text)));
    if (naming.length > 0) deleted += await node.xdel(stream, ...naming.map(([entry]) => entry));
    const last = entries.at(-1);
    if (!last || entries.length < entriesAtOnce) return deleted;
    from = `(${last[0]}`;
  }
}
