--- Adds what a process took from buckets of rate limits, and tells how empty these are, and those that were spent of late.
--@arg since number the time in the last answer, 0 at first
--@arg buckets json their names
--@arg took json of each the milliseconds that it needs longer to be full
--@arg most json of each the milliseconds that an empty one needs
--@arg spent json of each the milliseconds above which it holds no whole token
--@returns the time, the milliseconds until each bucket is full, then name and milliseconds of those that were spent since
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local list = KEYS[1] .. ':limits-spent'
local answer = { string.format('%.0f', now) }
local took, most, spent = cjson.decode(arg.took), cjson.decode(arg.most), cjson.decode(arg.spent)
for i, bucket in ipairs(cjson.decode(arg.buckets)) do
  local key = KEYS[1] .. ':limit:' .. bucket
  local full = math.max(tonumber(redis.call('GET', key) or 0), now) + tonumber(took[i])
  -- Replicas that do not know of each other yet take more than there is: they owe it, but not for ever.
  full = math.min(full, now + 2 * tonumber(most[i]))
  redis.call('SET', key, string.format('%.0f', full), 'PX', math.max(1, full - now))
  answer[#answer + 1] = string.format('%.0f', full - now)
  if full - now > tonumber(spent[i]) then redis.call('ZADD', list, now, bucket) end
end
for _, bucket in ipairs(redis.call('ZRANGEBYSCORE', list, arg.since, '+inf', 'LIMIT', 0, 1000)) do
  local full = tonumber(redis.call('GET', KEYS[1] .. ':limit:' .. bucket) or 0)
  answer[#answer + 1] = bucket
  answer[#answer + 1] = string.format('%.0f', math.max(0, full - now))
end
redis.call('ZREMRANGEBYSCORE', list, '-inf', now - 10000)
redis.call('PEXPIRE', list, 20000)
return answer
