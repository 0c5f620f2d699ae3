--- The match is called off and shall be made anew: failed tickets end, the others wait again at their old place.
--@arg matchId string
--@arg ticketIds json a list
--@arg failed json the ones of them that may not go back, a list
--@arg back string what those are told who wait again
--@arg ended string what failed tickets are told
--@arg late string what those are told whose time in the queue is over
--@arg now number milliseconds since the epoch
--@returns the ids that wait again
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local failed = {}
for _, id in ipairs(cjson.decode(arg.failed)) do failed[id] = true end
local back = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local key = ticket_key(id)
  local known = redis.call('HMGET', key, 's', 'm', 'c')
  if known[1] and is_of(known[2], arg.matchId) and not known[3] then
    if known[2] ~= arg.matchId then
      settle_proposal(known[2])
      redis.call('HSET', key, 'm', arg.matchId)
    end
    local over = ticket_of(id).expires_at <= tonumber(arg.now)
    if failed[id] or over then
      redis.call('HSET', key, 'x', 'abandoned')
      tell(id, 'failed', failed[id] and arg.ended or arg.late, arg.now)
      finish(id)
    else
      -- Late news of the old match finds another one here, or none.
      redis.call('HDEL', key, 'm', 'x', 'g', 'y')
      put_back(id, arg.back, arg.now)
      back[#back + 1] = id
    end
  end
end
settle_proposal(arg.matchId)
return back
