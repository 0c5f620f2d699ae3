--- Returns the immutable fields of tickets.
--@arg ticketIds json a list
--@returns ids and their fields as JSON, in turn; unknown tickets are left out
--@include ticket
local found = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local fixed = read_fixed(id)
  if fixed then
    found[#found + 1] = id
    found[#found + 1] = fixed
  end
end
return found
