--- Notes that the jobs of an owner are sent again after a loss. No effect after another loss.
--@arg owner string
--@arg loss string
--@returns nothing
local key = KEYS[1] .. ':memory-of-' .. arg.owner
if redis.call('GET', key) == arg.loss then
  redis.call('SET', key, string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or '')
end
return {}
