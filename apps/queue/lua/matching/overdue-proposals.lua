--- Returns proposals whose lease expired, and renews each lease so that one caller settles it.
--@arg now number milliseconds since the epoch
--@arg leaseMs number
--@arg limit number
--@returns match id and job, in turn
--@include ticket
local due = call('ZRANGEBYSCORE', proposals_key, '-inf', arg.now, 'LIMIT', 0, arg.limit)
local found = {}
for _, match_id in ipairs(due) do
  local job = call('HGET', proposal_key(match_id), 'job')
  if job then
    call('ZADD', proposals_key, tonumber(arg.now) + tonumber(arg.leaseMs), match_id)
    found[#found + 1] = match_id
    found[#found + 1] = job
  else
    call('ZREM', proposals_key, match_id)
  end
end
return found
