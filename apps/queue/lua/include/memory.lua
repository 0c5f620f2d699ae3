-- Whether Redis still knows all tickets of running matches. `run` is the server that was known to; another server may be a
-- replica that lacks the last writes, or an older copy of the files. Without the hash, the memory was lost.
local memory_key = root .. ':memory'

-- The id of the server that runs now. A script runs alone, so it is read once a call.
local run_now
local function run_id()
  if not run_now then run_now = string.match(call('INFO', 'server'), 'run_id:(%x+)') or '' end
  return run_now
end

local whole
local function is_whole()
  if whole == nil then whole = call('HGET', memory_key, 'run') == run_id() end
  return whole
end
