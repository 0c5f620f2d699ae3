--- The match is over: releases the players of its tickets.
--@arg matchId string
--@arg ticketIds json a list
--@arg matchState string
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns the ids that closed
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local closed = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local key = ticket_key(id)
  local known = redis.call('HMGET', key, field.state, field.match, field.closed)
  if known[1] and is_of(known[2], arg.matchId) and not known[3] then
    if known[2] ~= arg.matchId then
      settle_proposal(known[2])
      redis.call('HSET', key, field.match, arg.matchId)
    end
    local state = 'assigned'
    if arg.matchState == 'abandoned' then state = 'failed' end
    redis.call('HSET', key, field.match_state, arg.matchState)
    tell(id, state, arg.reason, arg.now)
    finish(id)
    closed[#closed + 1] = id
  end
end
settle_proposal(arg.matchId)
return closed
