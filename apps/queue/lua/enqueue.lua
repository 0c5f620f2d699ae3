--- Creates a ticket in `waiting` and holds its players: all of them, or none.
--@arg ticketId string
--@arg queue string
--@arg players json the ids of its players, a list
--@arg fixed string the ticket's immutable fields, as JSON
--@arg fingerprint string
--@arg expiresAt number milliseconds since the epoch
--@arg reason string first message for its players
--@arg now number milliseconds since the epoch
--@many
--@returns created | existing | reused | busy, player, ticket
--@include ticket
local known = read_ticket(arg.ticketId)
if known then return { details_of(known).fingerprint == arg.fingerprint and 'existing' or 'reused' } end
local players = cjson.decode(arg.players)
local keys, held = {}, {}
for _, player in ipairs(players) do
  local key = player_key(player)
  keys[#keys + 1] = key
  held[#held + 1] = key
  held[#held + 1] = arg.ticketId
end
for i, holder in ipairs(redis.call('MGET', unpack(keys))) do
  if holder then return { 'busy', players[i], holder } end
end
redis.call('MSET', unpack(held))
local ticket = new_ticket(arg.ticketId)
put_pieces(ticket, field.fixed, arg.fixed)
tell(ticket, 'waiting', arg.reason, arg.now)
save(ticket)
join_pool(arg.ticketId, arg.queue, arg.expiresAt, arg.fixed)
return { 'created' }
