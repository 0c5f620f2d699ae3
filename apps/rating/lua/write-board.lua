--- Writes players of a build.
--@arg pool string
--@arg owner string
--@arg build string
--@arg through string how far it is; so are the next three
--@arg safe string
--@arg seen string
--@arg fence string
--@arg entries json of each player id, mean (empty: not on the board), region or empty, and the time when they leave or empty
--@returns written | lost
--@include board
local key = build_key(arg.pool, arg.build)
if not is_owner(arg.pool, arg.owner) or call('EXISTS', key) == 0 then return { 'lost' } end
local entries = cjson.decode(arg.entries)
for at = 1, #entries, 4 do
  local player, mean, region, leaves = entries[at], entries[at + 1], entries[at + 2], entries[at + 3]
  if mean == '' then
    take_off(key, player)
  else
    call('ZADD', key .. ':all', mean, player)
    if leaves == '' then call('ZREM', key .. ':leaves', player) else call('ZADD', key .. ':leaves', leaves, player) end
    if call('HGET', key .. ':region', player) ~= region then leave_region(key, player) end
    if region ~= '' then
      call('HSET', key .. ':region', player, region)
      call('SADD', key .. ':regions', region)
      call('ZADD', key .. ':in:' .. region, mean, player)
    end
  end
end
call('HSET', key, 'through', arg.through, 'safe', arg.safe, 'seen', arg.seen, 'fence', arg.fence)
return { 'written' }
