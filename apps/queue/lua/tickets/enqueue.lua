--- Creates a ticket in `waiting` and holds its players: all of them, or none. Only while the tickets of running matches are
--- known.
--@arg ticketId string
--@arg queue string
--@arg players json the ids of its players, a list
--@arg fixed string the ticket's immutable fields, as JSON
--@arg fingerprint string
--@arg expiresAt number milliseconds since the epoch
--@arg reason string first message for its players
--@arg now number milliseconds since the epoch
--@arg told number 1: the realm's stream has its first event too
--@many
--@returns created | existing | reused | busy, player, ticket | recovering
--@include ticket
--@include memory
if call('EXISTS', ticket_key(arg.ticketId)) == 1 then
  local fingerprint = details_of(read_ticket(arg.ticketId)).fingerprint
  -- That of a restored ticket is not known.
  return { (fingerprint == arg.fingerprint or fingerprint == '') and 'existing' or 'reused' }
end
if not is_noted('run') then return { 'recovering' } end
local players = cjson.decode(arg.players)
local held = {}
for _, player in ipairs(players) do
  held[#held + 1] = player_key(player)
  held[#held + 1] = arg.ticketId
end
if call('MSETNX', unpack(held)) == 0 then
  for _, player in ipairs(players) do
    local holder = call('GET', player_key(player))
    if holder then return { 'busy', player, holder } end
  end
end
local ticket = new_ticket(arg.ticketId)
put_pieces(ticket, field.fixed, arg.fixed)
tell(ticket, 'waiting', arg.reason, arg.now)
if tonumber(arg.told) == 1 then ticket.events[1] = first_event(ticket) end
save(ticket)
join_pool(arg.ticketId, arg.queue, arg.expiresAt, arg.fixed)
count(arg.queue, 'accepted')
return { 'created' }
