--- Gives the right to propose back before it runs out. Its epoch is never given again.
--@arg queue string
--@arg holder string
--@returns released | other
--@include ticket
local key = root .. ':lease:' .. arg.queue
if redis.call('HGET', key, 'holder') ~= arg.holder then return { 'other' } end
redis.call('HSET', key, 'holder', '')
return { 'released' }
