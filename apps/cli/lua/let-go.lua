--- Ends the hold of a player who was being erased.
--@arg playerId string
--@returns how many keys are deleted
--@include queue/ticket
--@include queue/erased-ticket
local key = player_key(arg.playerId)
return { tostring(call('GET', key) == erasing and call('DEL', key) or 0) }
