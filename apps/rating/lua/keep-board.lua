--- Takes or renews the right to keep a board.
--@arg pool string
--@arg owner string
--@arg ttlMs number
--@returns kept, the build that is read, the one that is being made, then for, through, safe, seen and fence of both | taken
--@include board
local key = board_key(arg.pool)
local time = call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local holder, expires = call('HGET', key, 'owner'), tonumber(call('HGET', key, 'until') or '0')
if holder and holder ~= arg.owner and expires > now then return { 'taken' } end
call('HSET', key, 'owner', arg.owner, 'until', string.format('%.0f', now + tonumber(arg.ttlMs)))
local live, next = call('HGET', key, 'live') or '', call('HGET', key, 'next') or ''
local answer = { 'kept', live, next }
for _, build in ipairs({ live, next }) do
  local fields = build ~= '' and call('HMGET', build_key(arg.pool, build), 'for', 'through', 'safe', 'seen', 'fence') or {}
  for i = 1, 5 do answer[#answer + 1] = fields[i] or '' end
end
return answer
