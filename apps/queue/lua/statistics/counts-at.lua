--- Returns the counts of a queue at some times: as noted at the time or first after it, else as they are now.
--@arg queue string empty: the whole realm
--@arg times json a list, milliseconds since the epoch
--@returns for each time, the id of the note ('now': there is none yet) and the counts: names and numbers, divided by spaces
--@include ticket
local found = {}
for _, time in ipairs(cjson.decode(arg.times)) do
  local note = call('XRANGE', minutes_key(arg.queue), time, '+', 'COUNT', 1)[1]
  found[#found + 1] = note and note[1] or 'now'
  found[#found + 1] = note and note[2][2] or table.concat(call('HGETALL', counts_key(arg.queue)), ' ')
end
return found
