--- Returns the ids of a page of the realm's tickets, unordered. A ticket that fits from the first call to the last is in at least
--- one page.
--@arg cursor string 0 at first, then what the last call answered, until that is 0 again
--@arg count number approximate number of keys to scan, of all kinds
--@arg queue string empty: any
--@arg state string empty: every ticket that is not closed
--@returns the next cursor, then ids
--@include ticket
local prefix = ticket_key('')
-- The queue is the first field, and its name fits into the first piece.
local of_queue = arg.queue == '' and '' or '["' .. arg.queue .. '",'
local page = call('SCAN', arg.cursor, 'MATCH', prefix .. '*', 'COUNT', arg.count)
local found = { page[1] }
for _, key in ipairs(page[2]) do
  local known = call('HMGET', key, field.state, field.closed, field.fixed .. '1')
  local state, closed, first = known[1], known[2], known[3] or ''
  local fits = arg.state == '' and not closed or state == arg.state
  if state and fits and string.sub(first, 1, #of_queue) == of_queue then found[#found + 1] = string.sub(key, #prefix + 1) end
end
return found
