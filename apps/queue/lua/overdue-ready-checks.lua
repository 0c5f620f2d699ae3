--- Ready checks whose time is over, with the tickets that somebody did not answer for. None while a replica of the queue could not hear lately.
--@arg now number milliseconds since the epoch
--@arg limit number
--@arg deafMs number the caller could not hear: no check is ended for so long from now on; 0: it could
--@arg hearingNow number milliseconds since the epoch, for that; 0: by the server's own clock
--@returns match and those tickets as JSON, in turn
--@include ticket
--@include ready-check
local deaf_ms = tonumber(arg.deafMs)
if deaf_ms > 0 then
  local deaf_until = string.format('%.0f', hearing_time(arg.hearingNow) + deaf_ms)
  -- It says nothing any more once that time has come; the key goes some time later.
  redis.call('SET', deaf_until_key, deaf_until, 'PX', string.format('%.0f', deaf_ms + 60000))
end
if is_deaf(arg.hearingNow) then return {} end
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
