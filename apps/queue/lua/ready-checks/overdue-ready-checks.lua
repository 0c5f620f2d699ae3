--- Lists ready checks after their deadline, with the tickets that have an unanswered player. None during the grace period after a
--- replica's outage.
--@arg now number milliseconds since the epoch
--@arg limit number
--@arg deafMs number grace period after an outage of the caller, during which no check is ended; 0: no outage
--@returns match, the number of its players, and those tickets as JSON, in turn
--@include ticket
--@include ready-check
local deaf_ms = tonumber(arg.deafMs)
if deaf_ms > 0 then
  local deaf_until = string.format('%.0f', server_time() + deaf_ms)
  -- No effect after that time; the key expires later.
  call('SET', deaf_until_key, deaf_until, 'PX', string.format('%.0f', deaf_ms + 60000))
end
if is_deaf() then return {} end
local due = call('ZRANGEBYSCORE', ready_checks_key, '-inf', arg.now, 'LIMIT', 0, arg.limit)
local found = {}
for _, match_id in ipairs(due) do
  local tickets, asked = {}, 0
  for _, ticket in ipairs(tickets_of_match(match_id)) do
    local missing = unanswered_of(ticket)
    asked = asked + #details_of(ticket).players
    if #missing > 0 then
      local queue = details_of(ticket).queue
      tickets[#tickets + 1] = cjson.encode({ ticketId = ticket.id, queue = queue, playerIds = missing })
    end
  end
  found[#found + 1] = match_id
  found[#found + 1] = string.format('%d', asked)
  found[#found + 1] = '[' .. table.concat(tickets, ',') .. ']'
end
return found
