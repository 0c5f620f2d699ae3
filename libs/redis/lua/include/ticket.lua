-- Shared by the scripts that move tickets. All keys derive from the realm's root, so they share its hash tag (one slot).
local root = KEYS[1]
local ended_ttl_seconds = 3600
local stream_length = 100000
local changes_kept = 50000

local function ticket_key(id) return root .. ':ticket:' .. id end
local function log_key(id) return root .. ':log:' .. id end
local function player_key(id) return root .. ':player:' .. id end
local function waiting_key(queue) return root .. ':waiting:' .. queue end
local function expiry_key(queue) return root .. ':expiry:' .. queue end
local function changes_key(queue) return root .. ':changes:' .. queue end
local function change_count_key(queue) return root .. ':change-count:' .. queue end
local function proposal_key(match_id) return root .. ':proposal:' .. match_id end
local proposals_key = root .. ':proposals'

-- Writes the next event of a ticket: its hash, its log (index = seq - 1) and the realm's stream.
local function tell(id, state, reason, now)
  local key = ticket_key(id)
  local seq = redis.call('HINCRBY', key, 'seq', 1)
  redis.call('HSET', key, 'state', state, 'reason', reason, 'at', now)
  local known = redis.call('HMGET', key, 'match', 'match_state', 'assignment')
  local event = { ticketId = id, seq = seq, at = tonumber(now), state = state, reason = reason }
  if known[1] then event.matchId = known[1] end
  if known[2] then event.matchState = known[2] end
  if known[3] then event.assignment = cjson.decode(known[3]) end
  local text = cjson.encode(event)
  redis.call('RPUSH', log_key(id), text)
  redis.call('XADD', root .. ':events', 'MAXLEN', '~', stream_length, '*', 'e', text)
end

-- Nothing more can happen to the ticket: its players are free, and it is forgotten in a while.
local function finish(id)
  local key = ticket_key(id)
  redis.call('HSET', key, 'closed', '1')
  local players = cjson.decode(redis.call('HGET', key, 'players'))
  for _, player in ipairs(players) do
    if redis.call('GET', player_key(player)) == id then redis.call('DEL', player_key(player)) end
  end
  redis.call('EXPIRE', key, ended_ttl_seconds)
  redis.call('EXPIRE', log_key(id), ended_ttl_seconds)
end

-- Every change of a pool has the next number, which is its id in the stream: whoever follows sees at once that some are missing.
local function note_change(queue, field, value)
  local number = redis.call('INCR', change_count_key(queue))
  redis.call('XADD', changes_key(queue), 'MAXLEN', '~', changes_kept, number .. '-0', field, value)
end

-- The ticket waits: matchers take it in.
local function join_pool(id, queue, enqueued_at, expires_at, fixed)
  redis.call('ZADD', waiting_key(queue), enqueued_at, id)
  redis.call('ZADD', expiry_key(queue), expires_at, id)
  note_change(queue, 'joined', fixed)
end

-- The ticket waits no more: `claimed` by a match, or gone (`left`).
local function leave_pool(id, queue, how)
  redis.call('ZREM', expiry_key(queue), id)
  if redis.call('ZREM', waiting_key(queue), id) == 1 then note_change(queue, how, id) end
end

-- Nobody is waited for any more. What is left for a while tells a repeated proposal from a new one.
local function settle_proposal(match_id)
  redis.call('HDEL', proposal_key(match_id), 'job')
  redis.call('EXPIRE', proposal_key(match_id), ended_ttl_seconds)
  redis.call('ZREM', proposals_key, match_id)
end
