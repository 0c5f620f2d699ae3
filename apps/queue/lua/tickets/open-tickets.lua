--- Returns a page of the realm's tickets that wait or are in a match. A ticket that is open from the first call to the last is in
--- at least one page.
--@arg cursor string 0 at first, then what the last call answered, until that is 0 again
--@arg count number approximate number of keys to scan, of all kinds
--@returns the next cursor, then in turn id, state, its match (empty: none), its first player, when it was enqueued
--@include ticket
local prefix = ticket_key('')
local page = call('SCAN', arg.cursor, 'MATCH', prefix .. '*', 'COUNT', arg.count)
local found = { page[1] }
for _, key in ipairs(page[2]) do
  local id = string.sub(key, #prefix + 1)
  local known = call('HMGET', key, field.state, field.match, field.closed)
  local state = known[1]
  if not known[3] and (state == 'waiting' or state == 'placing' or state == 'assigned') then
    local fixed = cjson.decode(read_fixed(id))
    found[#found + 1] = id
    found[#found + 1] = state
    found[#found + 1] = known[2] or ''
    found[#found + 1] = fixed[6][1][1]
    found[#found + 1] = string.format('%.0f', fixed[3])
  end
end
return found
