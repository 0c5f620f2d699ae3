--- Returns a page of a queue's tickets that waited since a time: waiting tickets, and ended ones whose keys have not expired. A
--- ticket that exists from the first call to the last is in at least one page.
--@arg queue string
--@arg since number milliseconds since the epoch
--@arg cursor string 0 at first, then what the last call answered, until that is 0 again
--@arg count number approximate number of keys to scan, of all kinds
--@returns the next cursor, then in turn id, its immutable fields, the event by which it left the pool as JSON (empty while it waits)
--@include ticket
local since = tonumber(arg.since)
local prefix = ticket_key('')
-- The queue is the first field, and its name fits into the first piece.
local of_queue = '["' .. arg.queue .. '",'

-- The first event after the ticket last waited, as JSON.
local function leaving_of(id)
  local events = call('LRANGE', log_key(id), 0, -1)
  for i = #events, 1, -1 do
    if cjson.decode(events[i]).state == 'waiting' then return events[i + 1] end
  end
  return nil
end

local page = call('SCAN', arg.cursor, 'MATCH', prefix .. '*', 'COUNT', arg.count)
local found = { page[1] }
for _, key in ipairs(page[2]) do
  local id = string.sub(key, #prefix + 1)
  local known = call('HMGET', key, field.state, field.fixed .. '1')
  if known[2] and string.sub(known[2], 1, #of_queue) == of_queue then
    local leaving = known[1] == 'waiting' and '' or leaving_of(id)
    if leaving and (leaving == '' or cjson.decode(leaving).at >= since) then
      found[#found + 1] = id
      found[#found + 1] = fixed_of(read_ticket(id))
      found[#found + 1] = leaving
    end
  end
end
return found
