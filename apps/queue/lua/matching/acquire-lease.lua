--- Acquires or renews the lease to propose matches for a queue. A new holder gets a new epoch, which fences off all older ones.
--- It is the time, or one more than the last: also when Redis has lost the last, no epoch is used twice.
--@arg queue string
--@arg holder string
--@arg ttlMs number
--@returns held, epoch, expires at | taken
--@include ticket
local key = root .. ':lease:' .. arg.queue
local lease = call('HMGET', key, 'holder', 'epoch', 'expires_at')
local now = server_time()
-- Later than any lease taken now: written by a holder with a wrong clock, or the server's clock was set back.
local latest = now + 10 * tonumber(arg.ttlMs)
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
