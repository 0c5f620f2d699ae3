--- Declines a match for one player: their ticket ends; the other tickets return to the queue with their enqueue times.
--@arg ticketId string
--@arg playerId string
--@arg words string message for the players of the ticket that ends
--@arg others string message for the other tickets
--@arg now number milliseconds since the epoch
--@returns declined | too-late, state | not-yours | unknown
--@include ticket
--@include ready-check
local ticket = read_ticket(arg.ticketId)
if not ticket then return { 'unknown' } end
if not has_player(ticket, arg.playerId) then return { 'not-yours' } end
local state, match_id = ticket.fields[field.state], ticket.fields[field.match]
if state == 'cancelled' then return { 'declined' } end
if state ~= 'accepting' or not ready_check_is_open(match_id) then return { 'too-late', state } end
fall_apart(match_id, tickets_of_match(match_id), { [arg.ticketId] = arg.words }, arg.others, { arg.playerId }, arg.now)
return { 'declined' }
