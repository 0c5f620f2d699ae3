--- Takes or renews the right to propose for a queue. A new holder gets a new epoch, which makes every older one stale.
--@arg queue string
--@arg holder string
--@arg ttlMs number
--@arg now number milliseconds since the epoch
--@returns held, epoch, expires at | taken
--@include ticket
local key = root .. ':lease:' .. arg.queue
local lease = redis.call('HMGET', key, 'holder', 'epoch', 'expires_at')
local expires_at = tonumber(arg.now) + tonumber(arg.ttlMs)
local epoch = lease[2]
if lease[1] ~= arg.holder then
  if lease[1] and lease[1] ~= '' and tonumber(lease[3]) > tonumber(arg.now) then return { 'taken' } end
  epoch = redis.call('HINCRBY', key, 'epoch', 1)
end
redis.call('HSET', key, 'holder', arg.holder, 'expires_at', expires_at)
return { 'held', tostring(epoch), string.format('%.0f', expires_at) }
