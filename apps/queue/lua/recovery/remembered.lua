--- Notes that tickets agree with the matches again. The changes of each pool continue after a gap, so that every replica reads
--- its pools again.
--@arg step string run: tickets of running matches are there; matching: those of matches that are over are closed
--@arg loss string id of the loss: a later one makes this call void
--@arg queues json names, a list
--@returns noted | other
--@include ticket
--@include memory
local known = call('HMGET', memory_key, 'broken', 'loss')
if known[1] ~= run_id() or known[2] ~= arg.loss then return { 'other' } end
-- Tenths of a millisecond: more than the changes that a lost count may have counted. The previous release reads 14 digits.
local clock = call('TIME')
local time = tonumber(clock[1]) * 10000 + math.floor(tonumber(clock[2]) / 100)
for _, queue in ipairs(cjson.decode(arg.queues)) do
  local count = tonumber(call('GET', change_count_key(queue)) or '0')
  call('SET', change_count_key(queue), string.format('%.0f', math.max(count + 1000000, time)))
end
call('HSET', memory_key, arg.step, run_id())
if arg.step == 'matching' then call('HDEL', memory_key, 'by', 'until') end
return { 'noted' }
