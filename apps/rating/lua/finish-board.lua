--- Puts a finished build in the place of the one that is read.
--@arg pool string
--@arg owner string
--@arg build string
--@returns finished | lost
--@include board
local key = board_key(arg.pool)
if not is_owner(arg.pool, arg.owner) or call('HGET', key, 'next') ~= arg.build then return { 'lost' } end
local old = call('HGET', key, 'live')
call('HSET', key, 'live', arg.build)
call('HDEL', key, 'next')
-- The last player who was read: a finished build needs no id of a player beside those who are ranked.
call('HSET', build_key(arg.pool, arg.build), 'through', '')
if old then drop(arg.pool, old) end
return { 'finished' }
