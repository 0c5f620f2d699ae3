--- Finds a loss of jobs: none while the server runs that is noted for the owner, else the loss, which it notes. A loss on this
--- server that is noted already stays: all replicas that look meanwhile repair the same one.
--@arg owner string
--@returns the loss | nothing
local key = KEYS[1] .. ':memory-of-' .. arg.owner
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
local known = redis.call('GET', key)
if known == run then return {} end
if known and string.sub(known, 1, #run + 6) == 'lost ' .. run .. ' ' then return { known } end
local time = redis.call('TIME')
local loss = 'lost ' .. run .. ' ' .. time[1] .. '.' .. time[2]
redis.call('SET', key, loss)
return { loss }
