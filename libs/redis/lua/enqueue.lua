--- Creates a ticket in `waiting` and holds its players: all of them, or none.
--@arg ticketId string
--@arg queue string
--@arg players json the ids of its players, a list
--@arg fixed string what the ticket says for life, as JSON
--@arg fingerprint string
--@arg enqueuedAt number milliseconds since the epoch
--@arg expiresAt number milliseconds since the epoch
--@arg reason string what its players are told first
--@arg now number milliseconds since the epoch
--@returns created | existing | reused | busy, player, ticket
--@include ticket
local key = ticket_key(arg.ticketId)
local known = redis.call('HGET', key, 'fingerprint')
if known then
  if known == arg.fingerprint then return { 'existing' } end
  return { 'reused' }
end
local players = cjson.decode(arg.players)
for _, player in ipairs(players) do
  local holder = redis.call('GET', player_key(player))
  if holder then return { 'busy', player, holder } end
end
for _, player in ipairs(players) do redis.call('SET', player_key(player), arg.ticketId) end
redis.call('HSET', key, 'fixed', arg.fixed, 'fingerprint', arg.fingerprint, 'queue', arg.queue, 'players', arg.players,
  'enqueued_at', arg.enqueuedAt, 'expires_at', arg.expiresAt)
join_pool(arg.ticketId, arg.queue, arg.enqueuedAt, arg.expiresAt, arg.fixed)
tell(arg.ticketId, 'waiting', arg.reason, arg.now)
return { 'created' }
