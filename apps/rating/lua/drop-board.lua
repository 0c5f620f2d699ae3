--- Removes the board of a pool that nobody asked for.
--@arg pool string
--@arg owner string
--@arg askedBefore number milliseconds since the epoch
--@returns dropped | lost | asked
--@include board
if not is_owner(arg.pool, arg.owner) then return { 'lost' } end
if tonumber(call('ZSCORE', boards_key, arg.pool) or '0') > tonumber(arg.askedBefore) then return { 'asked' } end
for _, name in ipairs({ 'live', 'next' }) do
  local build = call('HGET', board_key(arg.pool), name)
  if build then drop(arg.pool, build) end
end
call('UNLINK', board_key(arg.pool))
call('ZREM', boards_key, arg.pool)
return { 'dropped' }
