--- Reads the open ticket of a player.
--@arg playerId string
--@returns id, then name and value of each field | nothing
--@include queue/ticket
local id = call('GET', player_key(arg.playerId))
return id and { id, unpack(call('HGETALL', ticket_key(id))) } or {}
