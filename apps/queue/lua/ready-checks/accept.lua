--- Accepts a match for one player. A ready check stays open until it is ended, which may be after its deadline. The last
--- acceptance closes it, and the match goes to assignment.
--@arg ticketId string
--@arg playerId string
--@arg everybody string message for all players once everyone accepted
--@arg leaseMs number lease of the proposal from then on; a reconciler settles it when the lease ends
--@arg now number milliseconds since the epoch
--@many
--@returns accepted | complete, match, its job | too-late, state | not-yours | unknown
--@include ticket
--@include ready-check
local ticket = read_ticket(arg.ticketId)
if not ticket then return { 'unknown' } end
if not has_player(ticket, arg.playerId) then return { 'not-yours' } end
local match_id = ticket.fields[field.match]
if not contains(accepted_of(ticket), arg.playerId) then
  local state = ticket.fields[field.state]
  if state ~= 'accepting' or not ready_check_is_open(match_id) then return { 'too-late', state } end
  local accepted = accepted_of(ticket)
  accepted[#accepted + 1] = arg.playerId
  put(ticket, field.accepted_by, cjson.encode(accepted))
  save(ticket)
  if call('HINCRBY', proposal_key(match_id), 'missing', -1) == 0 then
    call('HDEL', proposal_key(match_id), 'by')
    call('ZREM', ready_checks_key, match_id)
    call('ZADD', proposals_key, tonumber(arg.now) + tonumber(arg.leaseMs), match_id)
    for _, each in ipairs(tickets_of_match(match_id)) do
      remove(each, field.accept_by)
      tell(each, 'accepting', arg.everybody, arg.now)
      save(each)
    end
  end
end
if not match_id then return { 'accepted' } end
-- Also for a repeated call: the process that got this answer first may have died before it sent the job.
local known = call('HMGET', proposal_key(match_id), 'job', 'by')
if known[1] and not known[2] then return { 'complete', match_id, known[1] } end
return { 'accepted' }
