--- Reads places of a board.
--@arg pool string
--@arg region string empty: all regions
--@arg now number milliseconds since the epoch
--@arg kind string top: from the first position; around: of the first player; players: of these
--@arg first number a position, from 1
--@arg players json
--@arg limit number
--@returns season, players, then rank, mean and id of each | none
--@include board
local asked = tonumber(call('ZSCORE', boards_key, arg.pool) or '0')
if math.abs(tonumber(arg.now) - asked) > 60000 then call('ZADD', boards_key, arg.now, arg.pool) end
local build = call('HGET', board_key(arg.pool), 'live')
if not build or call('EXISTS', build_key(arg.pool, build)) == 0 then return { 'none' } end
local key = build_key(arg.pool, build)
-- The process that keeps the board takes off the others, if many leave at the same time.
take_off_due(key, arg.now, 100)
local board = arg.region == '' and key .. ':all' or key .. ':in:' .. arg.region
local answer = { call('HGET', key, 'season') or '0', tostring(call('ZCARD', board)) }
local function rank_of(mean) return call('ZCOUNT', board, '(' .. mean, '+inf') + 1 end
local function add(rank, mean, player)
  local last = #answer
  answer[last + 1], answer[last + 2], answer[last + 3] = tostring(rank), mean, player
end
local players = cjson.decode(arg.players)
if arg.kind == 'players' then
  for _, player in ipairs(players) do
    local mean = call('ZSCORE', board, player)
    if mean then add(rank_of(mean), mean, player) end
  end
  return answer
end
local limit = tonumber(arg.limit)
local first = tonumber(arg.first) - 1
if arg.kind == 'around' then
  local position = call('ZREVRANK', board, players[1])
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
