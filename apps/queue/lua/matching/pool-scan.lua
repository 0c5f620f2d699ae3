--- Returns a page of a queue's waiting tickets. A ticket that waits from the first call to the last is in at least one page.
--@arg queue string
--@arg cursor string 0 at first, then what the last call answered, until that is 0 again
--@arg count number approximate number of tickets
--@returns the next cursor, then ids and their immutable fields, in turn
--@include ticket
local page = call('ZSCAN', waiting_key(arg.queue), arg.cursor, 'COUNT', arg.count)
local found = { page[1] }
for i = 1, #page[2], 2 do
  local fixed = read_fixed(page[2][i])
  if fixed then
    found[#found + 1] = page[2][i]
    found[#found + 1] = fixed
  end
end
return found
