--- Returns a ticket's events after a sequence number, in order.
--@arg ticketId string
--@arg after number
--@returns events as JSON
--@include ticket
local after = math.max(0, tonumber(arg.after))
local events = redis.call('LRANGE', log_key(arg.ticketId), after, -1)
if #events > 0 or after > 0 then return events end
local known = redis.call('HMGET', ticket_key(arg.ticketId), field.state, field.reason, field.changed_at)
if not known[1] then return {} end
return { encoded(event_of(arg.ticketId, 1, known[1], known[2], known[3]), messages_of(arg.ticketId, 1)) }
