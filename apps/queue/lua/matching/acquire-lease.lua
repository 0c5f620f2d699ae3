--- Acquires or renews the lease to propose matches for a queue. A new holder gets a new epoch, which fences off all older ones.
--- It is the time, or one more than the last: also when Redis has lost the last, no epoch is used twice.
--@arg queue string
--@arg holder string
--@arg ttlMs number
--@arg now number milliseconds since the epoch; 0: the server's clock
--@returns held, epoch, expires at | taken
--@include ticket
local key = root .. ':lease:' .. arg.queue
local lease = call('HMGET', key, 'holder', 'epoch', 'expires_at')
local now = tonumber(arg.now)
local latest = math.huge
if now == 0 then
  local time = call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  -- Later than any lease taken now: written by a holder with a wrong clock, or the server's clock was set back.
  latest = now + 10 * tonumber(arg.ttlMs)
end
local expires_at = now + tonumber(arg.ttlMs)
local epoch = lease[2]
if lease[1] ~= arg.holder then
  local until_at = tonumber(lease[3] or '0')
  if lease[1] and lease[1] ~= '' and until_at > now and until_at <= latest then return { 'taken' } end
  epoch = string.format('%.0f', math.max(tonumber(epoch or '0') + 1, now))
  call('HSET', key, 'epoch', epoch)
end
call('HSET', key, 'holder', arg.holder, 'expires_at', string.format('%.0f', expires_at))
return { 'held', epoch, string.format('%.0f', expires_at) }
