--- Returns the changes of a queue's pool after a change number, in order.
--@arg queue string
--@arg after number
--@arg limit number most changes returned
--@returns the newest number, lost | whole, then in turn joined, id, its immutable fields | claimed, id, nothing | left, id, nothing
--@include ticket
local newest = tonumber(call('GET', change_count_key(arg.queue)) or '0')
local after = tonumber(arg.after)
if after == newest then return { tostring(newest), 'whole' } end
if after > newest then return { tostring(newest), 'lost' } end
local found = call('XRANGE', changes_key(arg.queue), string.format('%.0f-0', after + 1), '+', 'COUNT', arg.limit)
if not found[1] or found[1][1] ~= string.format('%.0f-0', after + 1) then return { tostring(newest), 'lost' } end
local changes = { tostring(newest), 'whole' }
for _, entry in ipairs(found) do
  changes[#changes + 1] = entry[2][1]
  changes[#changes + 1] = entry[2][2]
  changes[#changes + 1] = entry[2][4]
end
return changes
