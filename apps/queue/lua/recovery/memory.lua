--- Tells whether tickets are whole, and lets one caller at a time restore them.
--@arg claimant string the caller that would restore them; empty: it only asks
--@arg leaseMs number until another caller may restore them
--@arg database string identity of the database; another one than before is a loss too; empty: not known
--@arg now number milliseconds since the epoch
--@returns the state (whole | claimed | broken), when memory was last found to be lost (0: never), id of that loss, 1 while tickets may be created, 1 if the database is another one
--@include ticket
--@include memory
local run = run_id()
local is_other = '0'
if arg.database ~= '' then
  local before = call('HGET', memory_key, 'database')
  if before ~= arg.database then call('HSET', memory_key, 'database', arg.database) end
  if before and before ~= arg.database then
    is_other = '1'
    call('HDEL', memory_key, 'run', 'matching', 'broken', 'by', 'until')
  end
end
local known = call('HMGET', memory_key, 'run', 'matching', 'lost_at', 'loss', 'broken', 'by', 'until')
local is_open = known[1] == run and '1' or '0'
local lost_at, loss = known[3] or '0', known[4] or ''
if is_open == '1' and known[2] == run then return { 'whole', lost_at, loss, is_open, is_other } end
if known[5] ~= run and arg.claimant ~= '' then
  local time = call('TIME')
  lost_at, loss = arg.now, time[1] .. '.' .. time[2]
  call('HSET', memory_key, 'broken', run, 'lost_at', lost_at, 'loss', loss)
end
local is_claimed = known[6] and known[6] ~= arg.claimant and tonumber(known[7]) > tonumber(arg.now)
if arg.claimant == '' or is_claimed then return { 'broken', lost_at, loss, is_open, is_other } end
call('HSET', memory_key, 'by', arg.claimant, 'until', string.format('%.0f', tonumber(arg.now) + tonumber(arg.leaseMs)))
return { 'claimed', lost_at, loss, is_open, is_other }
