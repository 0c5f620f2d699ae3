import type { Script } from '@muster/redis';
import { createHash } from 'node:crypto';

/*
 * A pool's board in Redis. `:boards` holds the pools with a board, by the time when it was last asked for.
 * `:board:POOL` is a hash: who keeps it (`owner`, `until`), the build that is read (`live`) and the one that is being made
 * (`next`). A build has a hash of its own, `:board:POOL:BUILD`, with what it was made for and how far it is, and sorted sets:
 * `:all` and `:in:REGION` by mean, `:leaves` by the time when a player has not played for too long. `:region` has the region of
 * each player that has one, and the set `:regions` all of them: a write costs the same with any number of regions.
 */
const shared = `
local root, pool = KEYS[1], ARGV[1]
local call = redis.call
local meta = root .. ':board:' .. pool
local function build_key(build) return meta .. ':' .. build end
local function now_ms()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function leave_region(key, player)
  local region = call('HGET', key .. ':region', player)
  if not region then return end
  call('ZREM', key .. ':in:' .. region, player)
  call('HDEL', key .. ':region', player)
end
local function take_off(key, player)
  call('ZREM', key .. ':all', player)
  call('ZREM', key .. ':leaves', player)
  leave_region(key, player)
end
-- Takes off who has not played for too long, the longest first. @returns how many
local function take_off_due(key, now, limit)
  local due = call('ZRANGEBYSCORE', key .. ':leaves', '-inf', now, 'LIMIT', 0, limit)
  for _, player in ipairs(due) do take_off(key, player) end
  return #due
end
local function drop(build)
  local key = build_key(build)
  for _, region in ipairs(call('SMEMBERS', key .. ':regions')) do call('UNLINK', key .. ':in:' .. region) end
  call('UNLINK', key, key .. ':all', key .. ':leaves', key .. ':region', key .. ':regions')
end
local function is_owner(owner) return call('HGET', meta, 'owner') == owner end
`;

function script(name: string, body: string): Script {
  const lua = shared + body;
  return { name, lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Takes or renews the right to keep a board. Arguments: pool, owner, ttl. Answers the fields of the board, or `taken`. */
export const keepScript = script(
  'keep-board',
  `
local owner, now = ARGV[2], now_ms()
local holder, expires = call('HGET', meta, 'owner'), tonumber(call('HGET', meta, 'until') or '0')
if holder and holder ~= owner and expires > now then return { 'taken' } end
call('HSET', meta, 'owner', owner, 'until', string.format('%.0f', now + tonumber(ARGV[3])))
local live, next = call('HGET', meta, 'live') or '', call('HGET', meta, 'next') or ''
local answer = { 'kept', live, next }
for _, build in ipairs({ live, next }) do
  local fields = build ~= '' and call('HMGET', build_key(build), 'for', 'through', 'safe', 'seen', 'fence') or {}
  for i = 1, 5 do answer[#answer + 1] = fields[i] or '' end
end
return answer
`,
);

/** Begins a build in place of one that is being made. Arguments: pool, owner, build, what it is for, fence, season. */
export const beginScript = script(
  'begin-board',
  `
if not is_owner(ARGV[2]) then return { 'lost' } end
local old = call('HGET', meta, 'next')
if old then drop(old) end
call('HSET', meta, 'next', ARGV[3])
call('HSET', build_key(ARGV[3]), 'for', ARGV[4], 'through', '', 'safe', '', 'seen', '', 'fence', ARGV[5], 'season', ARGV[6])
return { 'begun' }
`,
);

/**
 * Writes players of a build. Arguments: pool, owner, build, how far it is (`through`, `safe`, `seen`, `fence`), then for each player:
 * id, mean or empty (not on the board), region or empty, the time when they leave or empty.
 */
export const writeScript = script(
  'write-board',
  `
local build = ARGV[3]
local key = build_key(build)
if not is_owner(ARGV[2]) or call('EXISTS', key) == 0 then return { 'lost' } end
for at = 8, #ARGV, 4 do
  local player, mean, region, leaves = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  if mean == '' then
    take_off(key, player)
  else
    call('ZADD', key .. ':all', mean, player)
    if leaves == '' then call('ZREM', key .. ':leaves', player) else call('ZADD', key .. ':leaves', leaves, player) end
    if call('HGET', key .. ':region', player) ~= region then leave_region(key, player) end
    if region ~= '' then
      call('HSET', key .. ':region', player, region)
      call('SADD', key .. ':regions', region)
      call('ZADD', key .. ':in:' .. region, mean, player)
    end
  end
end
call('HSET', key, 'through', ARGV[4], 'safe', ARGV[5], 'seen', ARGV[6], 'fence', ARGV[7])
return { 'written' }
`,
);

/** Puts a finished build in the place of the one that is read. Arguments: pool, owner, build. */
export const finishScript = script(
  'finish-board',
  `
if not is_owner(ARGV[2]) or call('HGET', meta, 'next') ~= ARGV[3] then return { 'lost' } end
local old = call('HGET', meta, 'live')
call('HSET', meta, 'live', ARGV[3])
call('HDEL', meta, 'next')
-- The last player who was read: a finished build needs no id of a player beside those who are ranked.
call('HSET', build_key(ARGV[3]), 'through', '')
if old then drop(old) end
return { 'finished' }
`,
);

/** Takes off who has not played for too long. Arguments: pool, owner, build, now, limit. Answers how many they were. */
export const sweepScript = script(
  'sweep-board',
  `
if not is_owner(ARGV[2]) then return { '0' } end
return { tostring(take_off_due(build_key(ARGV[3]), ARGV[4], ARGV[5])) }
`,
);

/** Removes the board of a pool that nobody asked for. Arguments: pool, owner, asked before. */
export const dropScript = script(
  'drop-board',
  `
if not is_owner(ARGV[2]) then return { 'lost' } end
if tonumber(call('ZSCORE', root .. ':boards', pool) or '0') > tonumber(ARGV[3]) then return { 'asked' } end
for _, name in ipairs({ 'live', 'next' }) do
  local build = call('HGET', meta, name)
  if build then drop(build) end
end
call('UNLINK', meta)
call('ZREM', root .. ':boards', pool)
return { 'dropped' }
`,
);

/**
 * Reads places. Arguments: pool, region or empty, now, kind, then: `top` first position and limit; `around` player and limit;
 * `players` ids. Answers `none`, or season, players, then rank, mean and id of each.
 */
export const readScript = script(
  'read-board',
  `
local region, now, kind = ARGV[2], tonumber(ARGV[3]), ARGV[4]
local asked = tonumber(call('ZSCORE', root .. ':boards', pool) or '0')
if math.abs(now - asked) > 60000 then call('ZADD', root .. ':boards', ARGV[3], pool) end
local build = call('HGET', meta, 'live')
if not build or call('EXISTS', build_key(build)) == 0 then return { 'none' } end
local key = build_key(build)
-- The process that keeps the board takes off the others, if many leave at the same time.
take_off_due(key, ARGV[3], 100)
local board = region == '' and key .. ':all' or key .. ':in:' .. region
local answer = { call('HGET', key, 'season') or '0', tostring(call('ZCARD', board)) }
local function rank_of(mean) return call('ZCOUNT', board, '(' .. mean, '+inf') + 1 end
local function add(rank, mean, player)
  local last = #answer
  answer[last + 1], answer[last + 2], answer[last + 3] = tostring(rank), mean, player
end
if kind == 'players' then
  for i = 5, #ARGV do
    local mean = call('ZSCORE', board, ARGV[i])
    if mean then add(rank_of(mean), mean, ARGV[i]) end
  end
  return answer
end
local limit = tonumber(ARGV[6])
local first = 0
if kind == 'top' then
  first = tonumber(ARGV[5]) - 1
else
  local position = call('ZREVRANK', board, ARGV[5])
  if not position then return answer end
  first = math.max(0, math.min(position - math.floor(limit / 2), call('ZCARD', board) - limit))
end
local rows = call('ZREVRANGE', board, first, first + limit - 1, 'WITHSCORES')
local rank, before = 0, nil
for i = 1, #rows, 2 do
  local mean = rows[i + 1]
  if before == nil then rank = rank_of(mean) elseif mean ~= before then rank = first + (i + 1) / 2 end
  before = mean
  add(string.format('%.0f', rank), mean, rows[i])
end
return answer
`,
);
