--- Brings a ticket to where its match is, and holds its players. A ticket that is unknown is created; a waiting ticket of one of
--- the players ends.
--@arg ticketId string
--@arg which string all | missing: a ticket that exists stays as it is
--@arg matchId string
--@arg matchState string
--@arg assignment string as JSON; empty: the match has no server
--@arg fixed string the ticket's immutable fields, as JSON
--@arg players json those of its players who are in the match, a list
--@arg queued string reason for the first event of a ticket that is unknown
--@arg reason string
--@arg elsewhere string reason for waiting tickets of its players
--@arg now number milliseconds since the epoch
--@many
--@returns created | advanced | there | closed | other
--@include ticket
local target = arg.assignment == '' and 'placing' or 'assigned'
-- Most tickets are there, and the rest of them need not be read.
local known = call('HMGET', ticket_key(arg.ticketId), field.state, field.match, field.closed)
local state, by = known[1], known[2]
if known[3] then return { 'closed' } end
if state and arg.which == 'missing' then return { 'there' } end
if state and (state == target or state == 'assigned') then return { by == arg.matchId and 'there' or 'other' } end
local ticket = state and read_ticket(arg.ticketId)
local outcome = ticket and 'advanced' or 'created'
if ticket then
  if state == 'waiting' then
    leave_pool(ticket.id, details_of(ticket).queue)
  else
    if not is_of(by, arg.matchId) then return { 'other' } end
    call('HDEL', proposal_key(by), 'by')
    call('ZREM', ready_checks_key, by)
    end_proposal(by)
    remove(ticket, field.accept_by)
  end
else
  ticket = new_ticket(arg.ticketId)
  put_pieces(ticket, field.fixed, arg.fixed)
  tell(ticket, 'waiting', arg.queued, arg.now)
end
for _, player in ipairs(cjson.decode(arg.players)) do
  local holder = call('GET', player_key(player))
  local other = holder and holder ~= arg.ticketId and read_ticket(holder)
  local is_open = other and not other.fields[field.closed]
  if is_open and other.fields[field.state] == 'waiting' then
    leave_pool(other.id, details_of(other).queue)
    tell(other, 'failed', arg.elsewhere, arg.now)
    finish(other)
    save(other)
    is_open = false
  end
  if not is_open then call('SET', player_key(player), arg.ticketId) end
end
put(ticket, field.match, arg.matchId)
put(ticket, field.match_state, arg.matchState)
if arg.assignment ~= '' then put(ticket, field.assignment, arg.assignment) end
tell(ticket, target, arg.reason, arg.now)
save(ticket)
return { outcome }
