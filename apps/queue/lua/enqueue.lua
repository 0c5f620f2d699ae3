--- Creates a ticket in `waiting` and holds its players: all of them, or none.
--@arg ticketId string
--@arg queue string
--@arg players json the ids of its players, a list
--@arg fixed string the ticket's immutable fields, as JSON
--@arg fingerprint string
--@arg expiresAt number milliseconds since the epoch
--@arg reason string first message for its players
--@arg now number milliseconds since the epoch
--@returns created | existing | reused | busy, player, ticket
--@include ticket
local key = ticket_key(arg.ticketId)
if redis.call('EXISTS', key) == 1 then
  if ticket_of(arg.ticketId).fingerprint == arg.fingerprint then return { 'existing' } end
  return { 'reused' }
end
local players = cjson.decode(arg.players)
for _, player in ipairs(players) do
  local holder = redis.call('GET', player_key(player))
  if holder then return { 'busy', player, holder } end
end
for _, player in ipairs(players) do redis.call('SET', player_key(player), arg.ticketId) end
write_fixed(arg.ticketId, arg.fixed)
join_pool(arg.ticketId, arg.queue, arg.expiresAt, arg.fixed)
tell(arg.ticketId, 'waiting', arg.reason, arg.now)
return { 'created' }
