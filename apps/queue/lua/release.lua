--- Refuses a proposal: failed tickets end; the others return to the queue with their enqueue times.
--@arg matchId string
--@arg ticketIds json a list
--@arg failed json those that may not return to the queue, a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns the ids that returned to the queue
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local failed = {}
for _, id in ipairs(cjson.decode(arg.failed)) do failed[id] = true end
local back = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local key = ticket_key(id)
  local known = redis.call('HMGET', key, field.state, field.match)
  if is_proposed(known[1], known[2], arg.matchId) then
    redis.call('HDEL', key, field.match, field.accepted_by)
    if failed[id] then
      tell(id, 'failed', arg.reason, arg.now)
      finish(id)
    else
      put_back(id, arg.reason, arg.now)
      back[#back + 1] = id
    end
  end
end
settle_proposal(arg.matchId)
reopen_backfill(arg.matchId)
return back
