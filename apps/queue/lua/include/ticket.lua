-- Shared by the scripts that move tickets. All keys derive from the realm's root, so they share its hash tag (one slot).
--
-- A ticket is a hash. These scripts use field names (`field.state`), which ticket-fields.mjs maps to one letter in Redis.
-- Redis keeps a hash compact while no value exceeds 64 bytes; a waiting ticket then takes a third of the memory.
-- `field.fixed` holds the immutable fields as a list: queue, fingerprint, enqueued at, expires at, build, players, others.
local root = KEYS[1]
local ended_ttl_seconds = 3600
local stream_length = 100000
local changes_kept = 50000
local longest_piece = 64

local function ticket_key(id) return root .. ':ticket:' .. id end
local function log_key(id) return root .. ':log:' .. id end
local function player_key(id) return root .. ':player:' .. id end
local function waiting_key(queue) return root .. ':waiting:' .. queue end
local function changes_key(queue) return root .. ':changes:' .. queue end
local function change_count_key(queue) return root .. ':change-count:' .. queue end
local function proposal_key(match_id) return root .. ':proposal:' .. match_id end
local proposals_key = root .. ':proposals'
-- Open ready checks by deadline, and failed ones with pending penalties by time of failure.
local ready_checks_key = root .. ':ready-checks'
local blamed_key = root .. ':blamed'
-- The match for which a player has a pending penalty. The blame itself is in the match's proposal: a key whose match has
-- none is ignored and expires after a day.
local blame_ttl_seconds = 86400
local function blame_key(player) return root .. ':blame:' .. player end
-- Unclaimed backfills of a queue by id, and the fewest seats that a backfill is known to have left: 0 once it is closed.
-- The number only decreases, so a late or repeated update opens nothing again.
local function backfills_key(queue) return root .. ':backfills:' .. queue end
local function backfill_key(id) return root .. ':backfill:' .. id end

local function write_pieces(key, field, text)
  for piece = 1, math.ceil(#text / longest_piece) do
    redis.call('HSET', key, field .. piece, string.sub(text, (piece - 1) * longest_piece + 1, piece * longest_piece))
  end
end

local function write_fixed(id, fixed) write_pieces(ticket_key(id), field.fixed, fixed) end

-- The ticket's immutable fields as JSON; nil when there is no such ticket.
local function fixed_of(id)
  local flat = redis.call('HGETALL', ticket_key(id))
  if #flat == 0 then return nil end
  local pieces = {}
  for i = 1, #flat, 2 do
    local piece = string.match(flat[i], '^' .. field.fixed .. '(%d+)$')
    if piece then pieces[tonumber(piece)] = flat[i + 1] end
  end
  return table.concat(pieces)
end

-- The same, decoded.
local function ticket_of(id)
  local said = cjson.decode(fixed_of(id))
  return { queue = said[1], fingerprint = said[2], expires_at = said[4], players = said[6] }
end

-- Reasons come as text; their messages, if any, follow as JSON after a unit separator.
local function parts_of(said)
  local at = string.find(said, '\31', 1, true)
  if not at then return said, nil end
  return string.sub(said, 1, at - 1), string.sub(said, at + 1)
end

-- Messages carry the number of their event and of their pieces: the previous release writes a reason and leaves them
-- unchanged. Only the first event's messages are cut into pieces: later events exceed the compact form anyway.
local function write_messages(key, seq, messages)
  local pieces = 1
  while seq == 1 and #messages + #('1:' .. pieces .. ':') > pieces * longest_piece do pieces = pieces + 1 end
  local text = seq .. ':' .. pieces .. ':' .. messages
  if pieces > 1 then write_pieces(key, 'w', text) else redis.call('HSET', key, field.messages .. '1', text) end
end

-- The messages of a ticket's latest event, as JSON; nil when it has none.
local function messages_of(id, seq)
  local first = redis.call('HGET', ticket_key(id), field.messages .. '1')
  if not first then return nil end
  local of, pieces, text = string.match(first, '^(%d+):(%d+):(.*)$')
  if tonumber(of) ~= tonumber(seq) then return nil end
  for piece = 2, tonumber(pieces) do text = text .. redis.call('HGET', ticket_key(id), field.messages .. piece) end
  return text
end

-- An event as JSON, with its messages, which are JSON already.
local function encoded(event, messages)
  local text = cjson.encode(event)
  if not messages then return text end
  return string.sub(text, 1, -2) .. ',"messages":' .. messages .. '}'
end

local function event_of(id, seq, state, reason, at)
  return { ticketId = id, seq = seq, at = tonumber(at), state = state, reason = reason }
end

-- Writes the next event of a ticket: to its hash, its log (index = seq - 1) and the realm's stream. The first event is only
-- in the hash until there is a second: most waiting tickets have one event.
local function tell(id, state, said, now)
  local key = ticket_key(id)
  local reason, messages = parts_of(said)
  local known = redis.call('HMGET', key, field.seq, field.state, field.reason, field.changed_at, field.match, field.match_state, field.assignment, field.accept_by)
  local seq = tonumber(known[1] or '0') + 1
  if seq == 2 then
    redis.call('RPUSH', log_key(id), encoded(event_of(id, 1, known[2], known[3], known[4]), messages_of(id, 1)))
  end
  redis.call('HSET', key, field.seq, seq, field.state, state, field.reason, reason, field.changed_at, now)
  if messages then write_messages(key, seq, messages) end
  local event = event_of(id, seq, state, reason, now)
  if known[5] then event.matchId = known[5] end
  if known[6] then event.matchState = known[6] end
  if known[7] then event.assignment = cjson.decode(known[7]) end
  if known[8] then event.acceptBy = tonumber(known[8]) end
  local text = encoded(event, messages)
  if seq > 1 then redis.call('RPUSH', log_key(id), text) end
  redis.call('XADD', root .. ':events', 'MAXLEN', '~', stream_length, '*', 'e', text)
end

-- Ends a ticket: releases its players and lets its keys expire.
local function finish(id)
  local key = ticket_key(id)
  redis.call('HSET', key, field.closed, '1')
  for _, player in ipairs(ticket_of(id).players) do
    if redis.call('GET', player_key(player[1])) == id then redis.call('DEL', player_key(player[1])) end
  end
  redis.call('EXPIRE', key, ended_ttl_seconds)
  redis.call('EXPIRE', log_key(id), ended_ttl_seconds)
end

-- Every change of a pool has the next number, which is its id in the stream, so readers detect gaps.
local function note_change(queue, kind, id, fixed)
  local number = redis.call('INCR', change_count_key(queue))
  redis.call('XADD', changes_key(queue), 'MAXLEN', '~', changes_kept, number .. '-0', kind, id, 'f', fixed)
end

-- Adds the ticket to the pool, where matchers read it.
local function join_pool(id, queue, expires_at, fixed)
  redis.call('ZADD', waiting_key(queue), expires_at, id)
  note_change(queue, 'joined', id, fixed)
end

-- Removes the ticket from the pool: `claimed` by a match, or gone (`left`).
local function leave_pool(id, queue, kind)
  if redis.call('ZREM', waiting_key(queue), id) == 1 then note_change(queue, kind, id, '') end
end

-- The match was refused: the ticket returns to the queue with its enqueue time.
local function put_back(id, reason, now)
  local ticket = ticket_of(id)
  join_pool(id, ticket.queue, string.format('%.0f', ticket.expires_at), fixed_of(id))
  tell(id, 'waiting', reason, now)
end

-- A ready check is open while its proposal has a deadline (`by`). Nothing else may decide about its tickets until it
-- closes.
local function ready_check_is_open(match_id) return redis.call('HEXISTS', proposal_key(match_id), 'by') == 1 end

-- Whether a ticket awaits assignment's decision on this match and may take it.
local function is_proposed(state, matched_by, match_id)
  return (state == 'proposed' or state == 'accepting') and matched_by == match_id and not ready_check_is_open(match_id)
end

-- Whether a ticket is in this match or claimed for a seat in it: the end of the match may be reported before the seat.
local function is_of(matched_by, match_id)
  if not matched_by then return false end
  return matched_by == match_id or redis.call('HGET', proposal_key(matched_by), 'of') == match_id
end

-- Releases the backfill that a ticket was claimed for: other tickets may take it, unless it was closed meanwhile. Once per
-- claim.
local function reopen_backfill(proposal_id)
  local seat = redis.call('HGET', proposal_key(proposal_id), 'seat')
  if not seat then return end
  redis.call('HDEL', proposal_key(proposal_id), 'seat')
  local backfill = cjson.decode(seat)
  local fewest = redis.call('GET', backfill_key(backfill.backfillId))
  if fewest and tonumber(fewest) == backfill.seats then
    redis.call('HSET', backfills_key(backfill.queue), backfill.backfillId, seat)
  end
end

-- No proposal is pending any more. What remains for a while distinguishes a repeated proposal from a new one.
local function settle_proposal(match_id)
  redis.call('HDEL', proposal_key(match_id), 'job')
  redis.call('EXPIRE', proposal_key(match_id), ended_ttl_seconds)
  redis.call('ZREM', proposals_key, match_id)
end
