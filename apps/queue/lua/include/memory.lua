-- Whether Redis still agrees with the matches. A fail-over may lead to a replica that lacks the last writes, and a restart
-- to an older copy of the files; without the hash, all is lost. The hash names the server for which the tickets of running
-- matches are known to be there (`run`: tickets may be created), and for which tickets of matches that are over are known to
-- be closed (`matching`: tickets may be matched). It also names the database that has the matches (`database`).
local memory_key = root .. ':memory'

-- The id of the server that runs now. A script runs alone, so it is read once a call.
local run_now
local function run_id()
  if not run_now then run_now = string.match(call('INFO', 'server'), 'run_id:(%x+)') or '' end
  return run_now
end

local noted = {}
local function is_noted(name)
  if noted[name] == nil then noted[name] = call('HGET', memory_key, name) == run_id() end
  return noted[name]
end
