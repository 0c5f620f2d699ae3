--- Removes the blame of a match once its penalties are written.
--@arg matchId string
--@returns forgotten | unknown
--@include ticket
if call('ZREM', blamed_key, arg.matchId) == 0 then return { 'unknown' } end
local blame = call('HGET', proposal_key(arg.matchId), 'blame')
for _, player in ipairs(blame and cjson.decode(blame).playerIds or {}) do
  if call('GET', blame_key(player)) == arg.matchId then call('DEL', blame_key(player)) end
end
call('HDEL', proposal_key(arg.matchId), 'blame')
call('EXPIRE', proposal_key(arg.matchId), ended_ttl_seconds)
return { 'forgotten' }
