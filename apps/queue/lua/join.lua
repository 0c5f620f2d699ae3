--- Moves a ticket that was claimed for a backfill into that match and sets its assignment.
--@arg proposalId string
--@arg ticketId string
--@arg matchId string
--@arg assignment string as JSON
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns joined | left
--@include ticket
local key = ticket_key(arg.ticketId)
local known = redis.call('HMGET', key, field.state, field.match, field.closed)
local confirmed = known[1] == 'placing' and known[2] == arg.matchId
if known[3] or not (confirmed or is_proposed(known[1], known[2], arg.proposalId)) then return { 'left' } end
redis.call('HSET', key, field.match, arg.matchId, field.assignment, arg.assignment, field.match_state, 'placed')
tell(arg.ticketId, 'assigned', arg.reason, arg.now)
settle_proposal(arg.proposalId)
return { 'joined' }
