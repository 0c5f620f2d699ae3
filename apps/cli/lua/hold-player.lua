--- Keeps a player who is being erased out of the queue for an hour, as a ticket holds its players. Another run may take it over.
--@arg playerId string
--@returns held | queued
--@include queue/ticket
--@include queue/erased-ticket
local key = player_key(arg.playerId)
if call('SET', key, erasing, 'EX', 3600, 'NX') or call('GET', key) == erasing then return { 'held' } end
return { 'queued' }
