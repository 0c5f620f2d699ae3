--- Notes the counts of a queue, by the first call of each minute, and then adds what that call saw.
--@arg queue string empty: the whole realm
--@arg seen json names and amounts in turn
--@arg now number milliseconds since the epoch
--@many
--@returns noted | known
--@include ticket
local kept_ms, minute_ms = 172800000, 60000
local counts, minutes = counts_key(arg.queue), minutes_key(arg.queue)
local function note(at, text)
  call('XADD', minutes, 'MINID', '=', string.format('%.0f', arg.now - kept_ms), string.format('%.0f-0', at), 'c', text)
end

local newest = call('XREVRANGE', minutes, '+', '-', 'COUNT', 1)[1]
local noted_at = newest and tonumber(string.match(newest[1], '^%d+'))
if noted_at and math.floor(noted_at / minute_ms) >= math.floor(arg.now / minute_ms) then return { 'known' } end
-- What a queue counted before its first note belongs to the time since it is there.
if not newest then note(arg.now - 1, '') end
note(tonumber(arg.now), table.concat(call('HGETALL', counts), ' '))
local seen = cjson.decode(arg.seen)
for i = 1, #seen, 2 do call('HINCRBY', counts, seen[i], seen[i + 1]) end
if arg.queue ~= '' then call('HINCRBY', counts, 'waiting', call('ZCARD', waiting_key(arg.queue))) end
call('HINCRBY', counts, 'notes', 1)
-- Both go at once: counts without their notes would count as new.
for _, key in ipairs({ counts, minutes }) do call('PEXPIRE', key, kept_ms) end
return { 'noted' }
