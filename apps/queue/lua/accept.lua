--- Accepts a match for one player. A ready check stays open until it is ended, which may be after its deadline. The last
--- acceptance closes it, and the match goes to assignment.
--@arg ticketId string
--@arg playerId string
--@arg everybody string message for all players once everyone accepted
--@arg leaseMs number lease of the proposal from then on; a reconciler settles it when the lease ends
--@arg now number milliseconds since the epoch
--@returns accepted | complete, match, its job | too-late, state | not-yours | unknown
--@include ticket
--@include ready-check
local key = ticket_key(arg.ticketId)
local known = redis.call('HMGET', key, field.state, field.match)
local state, match_id = known[1], known[2]
if not state then return { 'unknown' } end
if not has_player(arg.ticketId, arg.playerId) then return { 'not-yours' } end
local accepted = accepted_of(arg.ticketId)
if not contains(accepted, arg.playerId) then
  if state ~= 'accepting' or not ready_check_is_open(match_id) then return { 'too-late', state } end
  accepted[#accepted + 1] = arg.playerId
  redis.call('HSET', key, field.accepted_by, cjson.encode(accepted))
  if redis.call('HINCRBY', proposal_key(match_id), 'missing', -1) == 0 then
    redis.call('HDEL', proposal_key(match_id), 'by')
    redis.call('ZREM', ready_checks_key, match_id)
    redis.call('ZADD', proposals_key, tonumber(arg.now) + tonumber(arg.leaseMs), match_id)
    for _, id in ipairs(tickets_of_match(match_id)) do
      redis.call('HDEL', ticket_key(id), field.accept_by)
      tell(id, 'accepting', arg.everybody, arg.now)
    end
  end
end
-- Also for a repeated call: the process that got this answer first may have died before it sent the job.
local job = redis.call('HGET', proposal_key(match_id), 'job')
if job and not ready_check_is_open(match_id) then return { 'complete', match_id, job } end
return { 'accepted' }
