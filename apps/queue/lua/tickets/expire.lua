--- Ends the expired waiting tickets of a queue.
--@arg queue string
--@arg reason string
--@arg now number milliseconds since the epoch
--@arg limit number at most this many
--@returns the ids that ended
--@include ticket
local due = call('ZRANGEBYSCORE', waiting_key(arg.queue), '-inf', arg.now, 'LIMIT', 0, arg.limit)
local ended = {}
for _, id in ipairs(due) do
  leave_pool(id, arg.queue)
  local ticket = read_ticket(id)
  if ticket and ticket.fields[field.state] == 'waiting' then
    tell(ticket, 'expired', arg.reason, arg.now)
    finish(ticket)
    save(ticket)
    ended[#ended + 1] = id
  end
end
return ended
