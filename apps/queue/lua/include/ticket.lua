-- Shared by the scripts that move tickets. All keys derive from the realm's root, so they share its hash tag (one slot).
--
-- A ticket is a hash. These scripts use field names (`field.state`), which ticket-fields.mjs maps to one letter in Redis.
-- Redis keeps a hash compact while no value exceeds 64 bytes; a waiting ticket then takes a third of the memory.
-- `field.fixed` holds the immutable fields as a list: queue, fingerprint, enqueued at, expires at, build, players, others.
local root = KEYS[1]
local call = redis.call
local ended_ttl_seconds = 3600
-- Entries of the realm's stream, and the most events in one of them.
local stream_length = '20000'
local events_in_entry = 10
local changes_kept = '50000'
local longest_piece = 64

-- Milliseconds since the epoch. Clocks of replicas may differ: for what all of them compare, that of the server counts.
local function server_time()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

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
-- What happened in a queue so far, and a stream of what that was each minute. The realm as a whole is the queue ''.
local function counts_key(queue) return root .. ':counts:' .. queue end
local function minutes_key(queue) return root .. ':minutes:' .. queue end

-- A ticket as it is stored: its fields by stored name. Changes are collected as HSET takes them, and `save` writes them at
-- once. Reads come before writes in every script, so that a ticket that cannot be read leaves the others of its match
-- unchanged.
local function new_ticket(id) return { id = id, fields = {}, changed = {}, removed = {}, log = {}, events = {} } end

-- With all its fields; nil when there is no such ticket.
local function read_ticket(id)
  local flat = call('HGETALL', ticket_key(id))
  if #flat == 0 then return nil end
  local ticket = new_ticket(id)
  local fields = ticket.fields
  for i = 1, #flat, 2 do fields[flat[i]] = flat[i + 1] end
  return ticket
end

-- With these fields; nil when there is no such ticket, or it does not have the first of them.
local function read_fields(id, names)
  local values = call('HMGET', ticket_key(id), unpack(names))
  if not values[1] then return nil end
  local ticket = new_ticket(id)
  local fields = ticket.fields
  for i = 1, #names do fields[names[i]] = values[i] or nil end
  return ticket
end

-- With what the scripts need of a ticket of a match; nil when there is no such ticket, or it has no match.
local match_fields = {
  field.match, field.state, field.seq, field.match_state, field.assignment, field.accept_by, field.closed, field.reason,
}
local function read_matched(id) return read_fields(id, match_fields) end

local function put(ticket, name, value)
  ticket.fields[name] = value
  ticket.removed[name] = nil
  local changed = ticket.changed
  local last = #changed
  changed[last + 1] = name
  changed[last + 2] = value
end

local function remove(ticket, ...)
  for _, name in ipairs({ ... }) do
    if ticket.fields[name] then ticket.removed[name] = true end
    ticket.fields[name] = nil
  end
end

local function put_pieces(ticket, name, text)
  for piece = 1, math.ceil(#text / longest_piece) do
    put(ticket, name .. piece, string.sub(text, (piece - 1) * longest_piece + 1, piece * longest_piece))
  end
end

-- The text that a ticket has in pieces, in fields with this name and a number. The ticket is read with them.
local function joined(ticket, name)
  local pieces = {}
  local piece = ticket.fields[name .. '1']
  while piece do
    pieces[#pieces + 1] = piece
    piece = ticket.fields[name .. (#pieces + 1)]
  end
  return table.concat(pieces)
end

-- The ticket's immutable fields as JSON.
local function fixed_of(ticket) return joined(ticket, field.fixed) end

-- The immutable fields of a ticket as JSON, which are seldom longer than this; nil when there is no such ticket.
local first_pieces = {
  field.fixed .. '1', field.fixed .. '2', field.fixed .. '3', field.fixed .. '4', field.fixed .. '5', field.fixed .. '6',
}
local function read_fixed(id)
  local pieces = call('HMGET', ticket_key(id), unpack(first_pieces))
  if not pieces[1] then return nil end
  if pieces[#first_pieces] then return fixed_of(read_ticket(id)) end
  for i = #first_pieces, 1, -1 do
    if not pieces[i] then pieces[i] = nil end
  end
  return table.concat(pieces)
end

-- With what the end of a ticket of a match needs, if its immutable fields are not long.
local end_fields = {
  field.match, field.state, field.seq, field.match_state, field.assignment, field.accept_by, field.closed, field.reason,
  field.accepted_by, field.fixed .. '1', field.fixed .. '2', field.fixed .. '3', field.fixed .. '4', field.fixed .. '5',
}
local function read_ending(id)
  local ticket = read_fields(id, end_fields)
  if ticket and ticket.fields[field.fixed .. '5'] then return read_ticket(id) end
  return ticket
end

-- The same, decoded.
local function details_of(ticket)
  if not ticket.details then
    local said = cjson.decode(fixed_of(ticket))
    ticket.details = { queue = said[1], fingerprint = said[2], expires_at = said[4], players = said[6] }
  end
  return ticket.details
end

-- Replaces the immutable fields. The ticket is read with them.
local function put_fixed(ticket, fixed)
  local piece = math.ceil(#fixed / longest_piece) + 1
  while ticket.fields[field.fixed .. piece] do
    remove(ticket, field.fixed .. piece)
    piece = piece + 1
  end
  put_pieces(ticket, field.fixed, fixed)
  ticket.details = nil
end

-- Reasons come as text; their messages, if any, follow as JSON after a unit separator. Tickets of many matches share a
-- reason, so each is taken apart once a call.
local reasons = {}
local function reason_of(said)
  local reason = reasons[said]
  if not reason then
    local at = string.find(said, '\31', 1, true)
    reason = { text = at and string.sub(said, 1, at - 1) or said, messages = at and string.sub(said, at + 1) }
    reasons[said] = reason
  end
  return reason
end

-- Messages carry the number of their event and of their pieces: the previous release writes a reason and leaves them
-- unchanged. Only the first event's messages are cut into pieces: later events exceed the compact form anyway.
local function put_messages(ticket, seq, messages)
  local pieces = 1
  while seq == 1 and #messages + #('1:' .. pieces .. ':') > pieces * longest_piece do pieces = pieces + 1 end
  local text = seq .. ':' .. pieces .. ':' .. messages
  if pieces > 1 then put_pieces(ticket, field.messages, text) else put(ticket, field.messages .. '1', text) end
end

-- The messages of a ticket's latest event, as JSON; nil when it has none. The ticket is read with all its fields.
local function messages_of(ticket)
  local first = ticket.fields[field.messages .. '1']
  if not first then return nil end
  local of, pieces, text = string.match(first, '^(%d+):(%d+):(.*)$')
  if tonumber(of) ~= tonumber(ticket.fields[field.seq]) then return nil end
  for piece = 2, tonumber(pieces) do text = text .. ticket.fields[field.messages .. piece] end
  return text
end

local function member(name, json) return json and ',"' .. name .. '":' .. json or '' end

-- An event without its beginning. Tickets of a match have the same, so the last one is kept.
local last = {}
local function ending_of(state, reason, messages, fields)
  local match, match_state = fields[field.match], fields[field.match_state]
  local assignment, accept_by = fields[field.assignment], fields[field.accept_by]
  local same = last.state == state and last.reason == reason and last.messages == messages and last.match == match
  if same and last.match_state == match_state and last.assignment == assignment and last.accept_by == accept_by then
    return last.text
  end
  local text = ',"state":"' .. state .. '","reason":' .. cjson.encode(reason)
    .. member('matchId', match and cjson.encode(match)) .. member('matchState', match_state and cjson.encode(match_state))
    .. member('assignment', assignment) .. member('acceptBy', accept_by) .. member('messages', messages) .. '}'
  last = {
    state = state, reason = reason, messages = messages, match = match, match_state = match_state, assignment = assignment,
    accept_by = accept_by, text = text,
  }
  return text
end

local function event_text(ticket, seq, at, ending)
  return '{"ticketId":' .. cjson.encode(ticket.id) .. ',"seq":' .. seq .. ',"at":' .. at .. ending
end

-- The first event of a ticket that has no other. It names no match.
local first_endings = {}
local function first_event(ticket)
  local fields = ticket.fields
  local reason, messages = fields[field.reason], messages_of(ticket)
  local key = reason .. '\31' .. (messages or '')
  local ending = first_endings[key]
  if not ending then
    ending = ',"state":"' .. fields[field.state] .. '","reason":' .. cjson.encode(reason) .. member('messages', messages) .. '}'
    first_endings[key] = ending
  end
  return event_text(ticket, fields[field.seq], fields[field.changed_at], ending)
end

-- Events of this call for the realm's stream.
local unpublished = {}

-- Adds the next event of a ticket, which `save` writes to its hash and its log (index = seq - 1), and `end_call` to the
-- realm's stream. The first event is only in the hash until there is a second: most waiting tickets have one event. It is
-- not in the stream: nobody follows a ticket before it exists, and followers begin with the log.
local function tell(ticket, state, said, now)
  local fields = ticket.fields
  local reason = reason_of(said)
  local seq = tonumber(fields[field.seq] or '0') + 1
  if seq == 2 then ticket.log[1] = first_event(ticket) end
  put(ticket, field.seq, tostring(seq))
  put(ticket, field.state, state)
  put(ticket, field.reason, reason.text)
  put(ticket, field.changed_at, now)
  if reason.messages then put_messages(ticket, seq, reason.messages) end
  if seq == 1 then return end
  local text = event_text(ticket, seq, now, ending_of(state, reason.text, reason.messages, fields))
  ticket.log[#ticket.log + 1] = text
  ticket.events[#ticket.events + 1] = text
end

-- The players of tickets that ended in this call: their keys, and the ticket that releases each.
local released_keys, released_by = {}, {}

-- Releases players of a saved ticket at the end of the call.
local function release(ticket, players)
  for _, player in ipairs(players) do
    released_keys[#released_keys + 1] = player_key(player)
    released_by[#released_keys] = ticket.id
  end
end

-- Ends a ticket: `save` lets its keys expire, and `end_call` releases its players.
local function finish(ticket)
  ticket.releases = {}
  for i, player in ipairs(details_of(ticket).players) do ticket.releases[i] = player_key(player[1]) end
  put(ticket, field.closed, '1')
end

-- What happened in each queue in this call. `end_call` adds it to the counts of the queue, which operators see.
local counted = {}
local function count(queue, what)
  local of_queue = counted[queue] or {}
  counted[queue] = of_queue
  of_queue[what] = (of_queue[what] or 0) + 1
end

-- Counts a value in its bucket: 0 up to 100, then each 11/9 as wide as the one before (statistics/distribution.ts reads them).
local growth, last_bucket = math.log(11 / 9), 60
local function count_value(queue, what, value)
  local bucket = value <= 100 and 0 or math.min(math.ceil(math.log(value / 100) / growth), last_bucket)
  count(queue, what .. ':' .. bucket)
end

-- Writes what changed: the fields together, all new events of the log together. What `end_call` writes is collected here,
-- so that a ticket that could not be saved releases no player and tells nobody.
local function save(ticket)
  local key = ticket_key(ticket.id)
  if #ticket.changed > 0 then call('HSET', key, unpack(ticket.changed)) end
  for name in pairs(ticket.removed) do call('HDEL', key, name) end
  for _, held in ipairs(ticket.releases or {}) do
    released_keys[#released_keys + 1] = held
    released_by[#released_keys] = ticket.id
  end
  if #ticket.log > 0 then call('RPUSH', log_key(ticket.id), unpack(ticket.log)) end
  for _, text in ipairs(ticket.events) do unpublished[#unpublished + 1] = text end
  if ticket.releases then
    count(details_of(ticket).queue, ticket.fields[field.state])
    call('EXPIRE', key, ended_ttl_seconds)
    call('EXPIRE', log_key(ticket.id), ended_ttl_seconds)
  end
end

-- Players whose tickets ended, some at a time: a command takes a limited number of arguments.
local function release_players()
  local at_once = 1000
  for from = 1, #released_keys, at_once do
    local to = math.min(from + at_once - 1, #released_keys)
    local holders = call('MGET', unpack(released_keys, from, to))
    local held = {}
    for i = from, to do
      if holders[i - from + 1] == released_by[i] then held[#held + 1] = released_keys[i] end
    end
    if #held > 0 then call('DEL', unpack(held)) end
  end
end

-- An entry of the realm's stream holds several events, each as a field `e`, in order. A follower of version 0.1.0 reads the
-- first and finds the others in the tickets' logs.
local function publish()
  for from = 1, #unpublished, events_in_entry do
    local entry = {}
    for i = from, math.min(from + events_in_entry - 1, #unpublished) do
      entry[#entry + 1] = 'e'
      entry[#entry + 1] = unpublished[i]
    end
    call('XADD', root .. ':events', 'MAXLEN', '~', stream_length, '*', unpack(entry))
  end
end

-- Writes what the tickets of a call have together. Every script that includes this file ends with it, also when it fails.
local function end_call()
  for queue, counts in pairs(counted) do
    for what, by in pairs(counts) do call('HINCRBY', counts_key(queue), what, by) end
  end
  release_players()
  publish()
end

-- Every change of a pool has the next number, which is its id in the stream, so readers detect gaps.
local function note_changes(queue, kind, ids, fixed)
  local number = call('INCRBY', change_count_key(queue), #ids) - #ids
  for i, id in ipairs(ids) do
    local entry = string.format('%.0f-0', number + i)
    call('XADD', changes_key(queue), 'MAXLEN', '~', changes_kept, entry, kind, id, 'f', fixed)
  end
end

-- Adds the ticket to the pool, where matchers read it.
local function join_pool(id, queue, expires_at, fixed)
  call('ZADD', waiting_key(queue), expires_at, id)
  note_changes(queue, 'joined', { id }, fixed)
end

-- Removes a ticket that left the pool without a match.
local function leave_pool(id, queue)
  if call('ZREM', waiting_key(queue), id) == 1 then note_changes(queue, 'left', { id }, '') end
end

-- The match was refused: the ticket returns to the queue with its enqueue time.
local function put_back(ticket, reason, now)
  local details = details_of(ticket)
  join_pool(ticket.id, details.queue, string.format('%.0f', details.expires_at), fixed_of(ticket))
  tell(ticket, 'waiting', reason, now)
end

-- A ready check is open while its proposal has a deadline (`by`). Nothing else may decide about its tickets until it
-- closes.
local function ready_check_is_open(match_id) return call('HEXISTS', proposal_key(match_id), 'by') == 1 end

-- Whether a ticket awaits assignment's decision on this match, or its ready check.
local function is_proposed(ticket, match_id)
  local state = ticket.fields[field.state]
  return (state == 'proposed' or state == 'accepting') and ticket.fields[field.match] == match_id
end

-- Whether a ticket is in this match or claimed for a seat in it: the end of the match may be reported before the seat.
local function is_of(matched_by, match_id)
  if not matched_by then return false end
  return matched_by == match_id or call('HGET', proposal_key(matched_by), 'of') == match_id
end

-- Releases the backfill that a ticket was claimed for: other tickets may take it, unless it was closed meanwhile. Once per
-- claim.
local function reopen_backfill(proposal_id)
  local seat = call('HGET', proposal_key(proposal_id), 'seat')
  if not seat then return end
  call('HDEL', proposal_key(proposal_id), 'seat')
  local backfill = cjson.decode(seat)
  local fewest = call('GET', backfill_key(backfill.backfillId))
  if fewest and tonumber(fewest) == backfill.seats then
    call('HSET', backfills_key(backfill.queue), backfill.backfillId, seat)
  end
end

-- No proposal is pending any more. What remains for a while distinguishes a repeated proposal from a new one.
local function end_proposal(match_id)
  call('ZREM', proposals_key, match_id)
  call('HDEL', proposal_key(match_id), 'job')
  call('EXPIRE', proposal_key(match_id), ended_ttl_seconds)
end

-- The same for a match without an open ready check: such a proposal has a job while it has a lease. Tickets of one match are
-- often decided in one call, so a match is looked at once.
local settled = {}
local function settle_proposal(match_id)
  if settled[match_id] then return end
  settled[match_id] = true
  if call('ZSCORE', proposals_key, match_id) then end_proposal(match_id) end
end

-- An open ticket of a match, or nil. It may have been claimed under another id, for a seat of the match: that claim ends.
local function open_ticket_of(id, match_id)
  local ticket = read_ending(id)
  local by = ticket and ticket.fields[field.match]
  if not ticket or ticket.fields[field.closed] or not is_of(by, match_id) then return nil end
  if by ~= match_id then
    end_proposal(by)
    put(ticket, field.match, match_id)
  end
  return ticket
end
