-- Erasure of a player from the key of a leaderboard, which holds ids alone and may hold millions: the player leaves it.

local function is_of_board(key) return string.find(key, root .. ':board:', 1, true) == 1 end

-- Returns whether the key is changed.
local function erase_from_board(key, kind, player)
  if kind == 'zset' then return call('ZREM', key, player) == 1 end
  if kind ~= 'hash' then return false end
  local changed = call('HDEL', key, player) == 1
  -- How far a board is that is being made: it begins again.
  if call('HGET', key, 'through') ~= player then return changed end
  call('HSET', key, 'through', '')
  return true
end
