--- The match exists: moves its proposed tickets to `placing`. A ticket that was claimed for a backfill now belongs to that match.
--@arg matchId string
--@arg ticketIds json a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns the ids that moved
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local of = redis.call('HGET', proposal_key(arg.matchId), 'of')
local moved = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local known = redis.call('HMGET', ticket_key(id), field.state, field.match)
  if is_proposed(known[1], known[2], arg.matchId) then
    redis.call('HSET', ticket_key(id), field.match_state, 'formed', field.match, of or arg.matchId)
    tell(id, 'placing', arg.reason, arg.now)
    moved[#moved + 1] = id
  end
end
settle_proposal(arg.matchId)
return moved
