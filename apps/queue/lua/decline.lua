--- Declines a match for one player: their ticket ends; the other tickets return to the queue with their enqueue times.
--@arg ticketId string
--@arg playerId string
--@arg words string message for the players of the ticket that ends
--@arg others string message for the other tickets
--@arg now number milliseconds since the epoch
--@returns declined | too-late, state | not-yours | unknown
--@include ticket
--@include ready-check
local known = redis.call('HMGET', ticket_key(arg.ticketId), field.state, field.match)
if not known[1] then return { 'unknown' } end
if not has_player(arg.ticketId, arg.playerId) then return { 'not-yours' } end
if known[1] == 'cancelled' then return { 'declined' } end
if known[1] ~= 'accepting' or not ready_check_is_open(known[2]) then return { 'too-late', known[1] } end
fall_apart(known[2], { [arg.ticketId] = arg.words }, arg.others, { arg.playerId }, arg.now)
return { 'declined' }
