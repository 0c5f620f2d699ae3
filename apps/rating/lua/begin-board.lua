--- Begins a build in place of one that is being made.
--@arg pool string
--@arg owner string
--@arg build string
--@arg madeFor string
--@arg fence string
--@arg season number
--@returns begun | lost
--@include board
if not is_owner(arg.pool, arg.owner) then return { 'lost' } end
local old = call('HGET', board_key(arg.pool), 'next')
if old then drop(arg.pool, old) end
call('HSET', board_key(arg.pool), 'next', arg.build)
call(
  'HSET', build_key(arg.pool, arg.build), 'for', arg.madeFor, 'through', '', 'safe', '', 'seen', '', 'fence', arg.fence,
  'season', arg.season
)
return { 'begun' }
