--- The proposal fell apart: failed tickets end, the others wait again at their old place.
--@arg matchId string
--@arg ticketIds json a list
--@arg failed json the ones of them that may not go back, a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns the ids that wait again
--@include ticket
local failed = {}
for _, id in ipairs(cjson.decode(arg.failed)) do failed[id] = true end
local back = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local key = ticket_key(id)
  local known = redis.call('HMGET', key, 's', 'm')
  if known[1] == 'proposed' and known[2] == arg.matchId then
    redis.call('HDEL', key, 'm')
    if failed[id] then
      tell(id, 'failed', arg.reason, arg.now)
      finish(id)
    else
      local ticket = ticket_of(id)
      join_pool(id, ticket.queue, string.format('%.0f', ticket.expires_at), fixed_of(id))
      tell(id, 'waiting', arg.reason, arg.now)
      back[#back + 1] = id
    end
  end
end
settle_proposal(arg.matchId)
return back
