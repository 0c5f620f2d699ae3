--- Tells whether tickets are whole, and lets one caller at a time restore them.
--@arg claimant string the caller that would restore them; empty: it only asks
--@arg leaseMs number until another caller may restore them
--@arg now number milliseconds since the epoch
--@returns whole | claimed | broken, id of the server's run, when memory was last found to be lost (0: never), id of that loss
--@include ticket
--@include memory
local run = run_id()
local known = call('HMGET', memory_key, 'run', 'lost_at', 'loss', 'broken', 'by', 'until')
local lost_at, loss = known[2] or '0', known[3] or ''
if known[1] == run then return { 'whole', run, lost_at, loss } end
if known[4] ~= run then
  local time = call('TIME')
  lost_at, loss = arg.now, time[1] .. '.' .. time[2]
  call('HSET', memory_key, 'broken', run, 'lost_at', lost_at, 'loss', loss)
end
local is_claimed = known[5] and known[5] ~= arg.claimant and tonumber(known[6]) > tonumber(arg.now)
if arg.claimant == '' or is_claimed then return { 'broken', run, lost_at, loss } end
call('HSET', memory_key, 'by', arg.claimant, 'until', string.format('%.0f', tonumber(arg.now) + tonumber(arg.leaseMs)))
return { 'claimed', run, lost_at, loss }
