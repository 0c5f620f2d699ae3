--- Sets the assignment of a ticket. The first assignment is final.
--@arg ticketId string
--@arg matchId string
--@arg assignment string as JSON
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns assigned | left
--@include ticket
local key = ticket_key(arg.ticketId)
local known = redis.call('HMGET', key, field.state, field.match, field.closed)
if known[2] ~= arg.matchId or known[3] then return { 'left' } end
if known[1] ~= 'placing' and not is_proposed(known[1], known[2], arg.matchId) then return { 'left' } end
redis.call('HSET', key, field.assignment, arg.assignment, field.match_state, 'placed')
tell(arg.ticketId, 'assigned', arg.reason, arg.now)
settle_proposal(arg.matchId)
return { 'assigned' }
