--- Cancels a waiting ticket. A ticket in a later state stays unchanged.
--@arg ticketId string
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns cancelled | unknown | too-late, state
--@include ticket
local state = redis.call('HGET', ticket_key(arg.ticketId), field.state)
if not state then return { 'unknown' } end
if state == 'cancelled' then return { 'cancelled' } end
if state ~= 'waiting' then return { 'too-late', state } end
leave_pool(arg.ticketId, ticket_of(arg.ticketId).queue, 'left')
tell(arg.ticketId, 'cancelled', arg.reason, arg.now)
finish(arg.ticketId)
return { 'cancelled' }
