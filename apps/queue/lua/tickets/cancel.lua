--- Cancels a waiting ticket. A ticket in a later state stays unchanged.
--@arg ticketId string
--@arg reason string
--@arg now number milliseconds since the epoch
--@many
--@returns cancelled | unknown | too-late, state
--@include ticket
local ticket = read_ticket(arg.ticketId)
if not ticket then return { 'unknown' } end
local state = ticket.fields[field.state]
if state == 'cancelled' then return { 'cancelled' } end
if state ~= 'waiting' then return { 'too-late', state } end
leave_pool(ticket.id, details_of(ticket).queue)
tell(ticket, 'cancelled', arg.reason, arg.now)
finish(ticket)
save(ticket)
return { 'cancelled' }
