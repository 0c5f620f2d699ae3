--- A client knows a later event of a ticket than Redis does, which lost some: repeats the latest event under the numbers up to
--- the next one that the client does not know.
--@arg ticketId string
--@arg after number the last event that the client knows
--@arg most number no ticket gets more events than this here
--@arg now number milliseconds since the epoch
--@returns unknown | current | told
--@include ticket
local ticket = read_ticket(arg.ticketId)
if not ticket then return { 'unknown' } end
local fields = ticket.fields
local after = tonumber(arg.after)
if after <= tonumber(fields[field.seq]) or after >= tonumber(arg.most) then return { 'current' } end
local messages = messages_of(ticket)
local said = messages and fields[field.reason] .. '\31' .. messages or fields[field.reason]
while tonumber(fields[field.seq]) <= after do tell(ticket, fields[field.state], said, arg.now) end
ticket.events = { ticket.events[#ticket.events] }
save(ticket)
return { 'told' }
