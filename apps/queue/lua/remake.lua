--- Cancels a match so that it is formed again: failed tickets and those that left end; the others return to the queue with their
--- enqueue times.
--@arg matchId string
--@arg ticketIds json a list
--@arg failed json those that may not return to the queue, a list
--@arg left json those whose players left the match, a list
--@arg back string reason for tickets that return to the queue
--@arg ended string reason for failed tickets
--@arg gone string reason for tickets whose players left
--@arg late string reason for tickets that expired meanwhile
--@arg now number milliseconds since the epoch
--@returns the ids that returned to the queue
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local failed, left = {}, {}
for _, id in ipairs(cjson.decode(arg.failed)) do failed[id] = true end
for _, id in ipairs(cjson.decode(arg.left)) do left[id] = true end
local back = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local key = ticket_key(id)
  local known = redis.call('HMGET', key, field.state, field.match, field.closed)
  if known[1] and is_of(known[2], arg.matchId) and not known[3] then
    if known[2] ~= arg.matchId then
      settle_proposal(known[2])
      redis.call('HSET', key, field.match, arg.matchId)
    end
    local over = ticket_of(id).expires_at <= tonumber(arg.now)
    -- An assigned ticket is never cancelled.
    if left[id] and known[1] ~= 'assigned' then
      redis.call('HDEL', key, field.match, field.match_state, field.accepted_by)
      tell(id, 'cancelled', arg.gone, arg.now)
      finish(id)
    elseif failed[id] or over then
      redis.call('HSET', key, field.match_state, 'abandoned')
      tell(id, 'failed', failed[id] and arg.ended or arg.late, arg.now)
      finish(id)
    else
      -- A late update of the old match then finds another match here, or none.
      redis.call('HDEL', key, field.match, field.match_state, field.assignment, field.accepted_by)
      put_back(id, arg.back, arg.now)
      back[#back + 1] = id
    end
  end
end
settle_proposal(arg.matchId)
return back
