--- Moves a ticket that was claimed for a backfill into that match and sets its assignment.
--@arg proposalId string
--@arg ticketId string
--@arg matchId string
--@arg assignment string as JSON
--@arg reason string
--@arg now number milliseconds since the epoch
--@many
--@returns joined | left
--@include ticket
local ticket = read_matched(arg.ticketId)
if not ticket or ticket.fields[field.closed] then return { 'left' } end
local confirmed = ticket.fields[field.state] == 'placing' and ticket.fields[field.match] == arg.matchId
if not confirmed then
  if not is_proposed(ticket, arg.proposalId) or ready_check_is_open(arg.proposalId) then return { 'left' } end
end
put(ticket, field.match, arg.matchId)
put(ticket, field.assignment, arg.assignment)
put(ticket, field.match_state, 'placed')
tell(ticket, 'assigned', arg.reason, arg.now)
save(ticket)
settle_proposal(arg.proposalId)
return { 'joined' }
