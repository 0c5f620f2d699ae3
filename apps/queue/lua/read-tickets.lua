--- What some tickets say for life.
--@arg ticketIds json a list
--@returns ids and what they say as JSON, in turn; unknown ones are left out
--@include ticket
local found = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local fixed = fixed_of(id)
  if fixed then
    found[#found + 1] = id
    found[#found + 1] = fixed
  end
end
return found
