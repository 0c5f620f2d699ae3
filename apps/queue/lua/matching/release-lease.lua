--- Releases the lease to propose before it expires. Its epoch is never used again.
--@arg queue string
--@arg holder string
--@returns released | other
--@include ticket
local key = root .. ':lease:' .. arg.queue
if call('HGET', key, 'holder') ~= arg.holder then return { 'other' } end
call('HSET', key, 'holder', '')
return { 'released' }
