--- Takes off who has not played for too long.
--@arg pool string
--@arg owner string
--@arg build string
--@arg now number milliseconds since the epoch
--@arg limit number
--@returns how many they were
--@include board
if not is_owner(arg.pool, arg.owner) then return { '0' } end
return { tostring(take_off_due(build_key(arg.pool, arg.build), arg.now, arg.limit)) }
