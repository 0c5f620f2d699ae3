--- Releases the lease to propose before it expires. Its epoch is never used again.
--@arg queue string
--@arg holder string
--@returns released | other
--@include ticket
local key = root .. ':lease:' .. arg.queue
if redis.call('HGET', key, 'holder') ~= arg.holder then return { 'other' } end
redis.call('HSET', key, 'holder', '')
return { 'released' }
