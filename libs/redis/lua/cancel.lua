--- Ends a ticket that waits. One that is past waiting is left alone.
--@arg ticketId string
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns cancelled | unknown | too-late, state
--@include ticket
local known = redis.call('HMGET', ticket_key(arg.ticketId), 'state', 'queue')
local state = known[1]
if not state then return { 'unknown' } end
if state == 'cancelled' then return { 'cancelled' } end
if state ~= 'waiting' then return { 'too-late', state } end
leave_pool(arg.ticketId, known[2], 'left')
tell(arg.ticketId, 'cancelled', arg.reason, arg.now)
finish(arg.ticketId)
return { 'cancelled' }
