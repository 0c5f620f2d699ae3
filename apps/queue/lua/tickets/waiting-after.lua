--- Returns the waiting tickets of a queue that expire after a time, earliest first. Those that expire with the last one are
--- included, so a page may exceed the limit.
--@arg queue string
--@arg after number milliseconds since the epoch
--@arg limit number
--@returns when the last one expires (empty: no more follow), then ids
--@include ticket
local key = waiting_key(arg.queue)
local rows = call('ZRANGEBYSCORE', key, '(' .. arg.after, '+inf', 'WITHSCORES', 'LIMIT', 0, arg.limit)
local is_full = #rows == 2 * tonumber(arg.limit)
local last = is_full and rows[#rows] or ''
local found = { last }
for i = 1, #rows, 2 do
  if rows[i + 1] ~= last then found[#found + 1] = rows[i] end
end
if not is_full then return found end
for _, id in ipairs(call('ZRANGEBYSCORE', key, last, last)) do found[#found + 1] = id end
return found
