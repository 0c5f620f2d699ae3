--- Counts a queue's waiting tickets, and reads the one that expires first.
--@arg queue string
--@many
--@returns their number, then the immutable fields of that ticket if there is one
--@include ticket
local count = tostring(call('ZCARD', waiting_key(arg.queue)))
local first = call('ZRANGE', waiting_key(arg.queue), 0, 0)[1]
local fixed = first and read_fixed(first)
return fixed and { count, fixed } or { count }
