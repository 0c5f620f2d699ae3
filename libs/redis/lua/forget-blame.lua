--- Those to blame for this match are penalised.
--@arg matchId string
--@returns forgotten | unknown
--@include ticket
if redis.call('ZREM', blamed_key, arg.matchId) == 0 then return { 'unknown' } end
redis.call('HDEL', proposal_key(arg.matchId), 'blame')
redis.call('EXPIRE', proposal_key(arg.matchId), ended_ttl_seconds)
return { 'forgotten' }
