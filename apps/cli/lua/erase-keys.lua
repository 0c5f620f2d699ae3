--- Replaces a player's id in the values of keys, wherever it stands alone. Tickets and leaderboards are left to the text of their
--- apps. Streams are left out: their entries cannot be changed.
--@arg keys json
--@arg id string
--@arg alias string what takes its place
--@arg rewrites number 1: texts are rewritten
--@returns how many keys are changed, and deleted; names of keys that are streams
--@include queue/ticket
--@include queue/erased-ticket
--@include rating/board
--@include rating/erased-board
local id, rewrites = arg.id, arg.rewrites == '1'
local function part(c) return c ~= '' and c:find('^[%w_@-]') ~= nil end
local function rewritten(text)
  if not rewrites or not text:find(id, 1, true) then return text end
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
      out[#out + 1] = text:sub(from, first - 1) .. arg.alias
      from = last + 1
    end
    at = last + 1
  end
  return table.concat(out) .. text:sub(from)
end
-- By kind: whether a key is changed.
local rewrite = {}
function rewrite.string(key)
  local value = call('GET', key)
  local after = rewritten(value)
  if after ~= value then call('SET', key, after, 'KEEPTTL') end
  return after ~= value
end
function rewrite.hash(key)
  local all, changed = call('HGETALL', key), false
  for i = 1, #all, 2 do
    local name, value = rewritten(all[i]), rewritten(all[i + 1])
    if name ~= all[i] then call('HDEL', key, all[i]) end
    if name ~= all[i] or value ~= all[i + 1] then
      call('HSET', key, name, value)
      changed = true
    end
  end
  return changed
end
function rewrite.list(key)
  local changed = false
  for i, value in ipairs(call('LRANGE', key, 0, -1)) do
    local after = rewritten(value)
    if after ~= value then
      call('LSET', key, i - 1, after)
      changed = true
    end
  end
  return changed
end
function rewrite.set(key)
  local changed = false
  for _, value in ipairs(call('SMEMBERS', key)) do
    local after = rewritten(value)
    if after ~= value then
      call('SREM', key, value)
      call('SADD', key, after)
      changed = true
    end
  end
  return changed
end
function rewrite.zset(key)
  local all, changed = call('ZRANGE', key, 0, -1, 'WITHSCORES'), false
  for i = 1, #all, 2 do
    local after = rewritten(all[i])
    if after ~= all[i] then
      call('ZREM', key, all[i])
      call('ZADD', key, all[i + 1], after)
      changed = true
    end
  end
  return changed
end
local changed, deleted, streams = 0, 0, {}
for _, key in ipairs(cjson.decode(arg.keys)) do
  local kind = call('TYPE', key).ok
  local is_changed, count = false, 0
  if key == blame_key(id) then
    count = call('DEL', key)
  elseif is_ticket(key, kind) then
    is_changed, count = erase_from_ticket(key, id, rewritten)
  elseif is_of_board(key) then
    is_changed = erase_from_board(key, kind, id)
  elseif kind == 'stream' and rewrites then
    streams[#streams + 1] = key
  elseif rewrites and rewrite[kind] then
    is_changed = rewrite[kind](key)
  end
  if is_changed then changed = changed + 1 end
  deleted = deleted + count
end
return { tostring(changed), tostring(deleted), unpack(streams) }
