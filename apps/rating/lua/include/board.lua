-- A pool's leaderboard. `:boards` holds the pools with a board, by the time when it was last asked for.
-- `:board:POOL` is a hash: who keeps it (`owner`, `until`), the build that is read (`live`) and the one that is being made
-- (`next`). A build has a hash of its own, `:board:POOL:BUILD`, with what it was made for and how far it is, and sorted sets:
-- `:all` and `:in:REGION` by mean, `:leaves` by the time when a player has not played for too long. `:region` has the region of
-- each player that has one, and the set `:regions` all of them: a write costs the same with any number of regions.
local root = KEYS[1]
local call = redis.call
local boards_key = root .. ':boards'
local function board_key(pool) return root .. ':board:' .. pool end
local function build_key(pool, build) return board_key(pool) .. ':' .. build end

local function is_owner(pool, owner) return call('HGET', board_key(pool), 'owner') == owner end

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

-- Takes off who has not played for too long, the longest first. Returns how many.
local function take_off_due(key, now, limit)
  local due = call('ZRANGEBYSCORE', key .. ':leaves', '-inf', now, 'LIMIT', 0, limit)
  for _, player in ipairs(due) do take_off(key, player) end
  return #due
end

local function drop(pool, build)
  local key = build_key(pool, build)
  for _, region in ipairs(call('SMEMBERS', key .. ':regions')) do call('UNLINK', key .. ':in:' .. region) end
  call('UNLINK', key, key .. ':all', key .. ':leaves', key .. ':region', key .. ':regions')
end
