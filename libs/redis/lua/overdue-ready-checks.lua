--- Ready checks whose time is over, with the tickets that somebody did not answer for.
--@arg now number milliseconds since the epoch
--@arg limit number
--@returns match and those tickets as JSON, in turn
--@include ticket
--@include ready-check
local due = redis.call('ZRANGEBYSCORE', ready_checks_key, '-inf', arg.now, 'LIMIT', 0, arg.limit)
local found = {}
for _, match_id in ipairs(due) do
  local tickets = {}
  for _, id in ipairs(tickets_of_match(match_id)) do
    local missing = unanswered_of(id)
    if #missing > 0 then
      tickets[#tickets + 1] = cjson.encode({ ticketId = id, queue = ticket_of(id).queue, playerIds = missing })
    end
  end
  found[#found + 1] = match_id
  found[#found + 1] = '[' .. table.concat(tickets, ',') .. ']'
end
return found
