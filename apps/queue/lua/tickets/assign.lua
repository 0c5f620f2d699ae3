--- Sets the assignment of a ticket. The first assignment is final.
--@arg ticketId string
--@arg matchId string
--@arg assignment string as JSON
--@arg reason string
--@arg now number milliseconds since the epoch
--@many
--@returns assigned, fixed | left
--@include ticket
local ticket = read_matched(arg.ticketId)
if not ticket or ticket.fields[field.match] ~= arg.matchId or ticket.fields[field.closed] then return { 'left' } end
if ticket.fields[field.state] ~= 'placing' then
  if not is_proposed(ticket, arg.matchId) or ready_check_is_open(arg.matchId) then return { 'left' } end
end
put(ticket, field.assignment, arg.assignment)
put(ticket, field.match_state, 'placed')
tell(ticket, 'assigned', arg.reason, arg.now)
save(ticket)
settle_proposal(arg.matchId)
return { 'assigned', read_fixed(arg.ticketId) }
