--- Returns a ticket's events after a sequence number, in order.
--@arg ticketId string
--@arg after number
--@many
--@returns events as JSON
--@include ticket
local after = math.max(0, tonumber(arg.after))
local events = call('LRANGE', log_key(arg.ticketId), after, -1)
if #events > 0 or after > 0 then return events end
local ticket = read_ticket(arg.ticketId)
return ticket and { first_event(ticket) } or {}
