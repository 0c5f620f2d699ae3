--- Ends a ticket that waits, or whose ready check is open, and blames nobody. The other tickets of its match return to the queue
--- with their enqueue times. A ticket in a later state stays unchanged.
--@arg ticketId string
--@arg reason string message for its players
--@arg others string message for the other tickets
--@arg now number milliseconds since the epoch
--@returns cancelled | unknown | too-late, state
--@include ticket
--@include ready-check
local ticket = read_ticket(arg.ticketId)
if not ticket then return { 'unknown' } end
local state, match_id = ticket.fields[field.state], ticket.fields[field.match]
if state == 'cancelled' then return { 'cancelled' } end
if state == 'accepting' and ready_check_is_open(match_id) then
  fall_apart(match_id, tickets_of_match(match_id), { [arg.ticketId] = arg.reason }, arg.others, {}, arg.now)
  return { 'cancelled' }
end
if state ~= 'waiting' then return { 'too-late', state } end
leave_pool(ticket.id, details_of(ticket).queue)
tell(ticket, 'cancelled', arg.reason, arg.now)
finish(ticket)
save(ticket)
return { 'cancelled' }
