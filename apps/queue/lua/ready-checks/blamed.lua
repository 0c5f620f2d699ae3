--- Lists the players of failed ready checks who still have to be penalised, oldest first.
--@arg limit number
--@returns each as JSON
--@include ticket
local found = {}
for _, match_id in ipairs(call('ZRANGEBYSCORE', blamed_key, '-inf', '+inf', 'LIMIT', 0, arg.limit)) do
  found[#found + 1] = call('HGET', proposal_key(match_id), 'blame')
end
return found
