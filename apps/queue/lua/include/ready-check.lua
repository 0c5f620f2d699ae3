-- Shared by the scripts of the ready check. Its state is in the proposal's hash: the deadline `by` and the number of
-- players `missing`.

local function tickets_of_match(match_id)
  local ids = call('HGET', proposal_key(match_id), 'tickets')
  local theirs = {}
  for _, id in ipairs(cjson.decode(ids or '[]')) do
    local ticket = read_ticket(id)
    if ticket and ticket.fields[field.match] == match_id then theirs[#theirs + 1] = ticket end
  end
  return theirs
end

local function accepted_of(ticket)
  local accepted = ticket.fields[field.accepted_by]
  return accepted and cjson.decode(accepted) or {}
end

local function contains(list, value)
  for _, each in ipairs(list) do
    if each == value then return true end
  end
  return false
end

local function has_player(ticket, player_id)
  for _, player in ipairs(details_of(ticket).players) do
    if player[1] == player_id then return true end
  end
  return false
end

-- No ready check is ended before this time: a replica of the queue was unreachable, so silence up to then is no evidence.
local deaf_until_key = root .. ':deaf-until'

local function is_deaf() return tonumber(call('GET', deaf_until_key) or '0') > server_time() end

-- The players of a ticket who did not accept.
local function unanswered_of(ticket)
  local accepted = accepted_of(ticket)
  local missing = {}
  for _, player in ipairs(details_of(ticket).players) do
    if not contains(accepted, player[1]) then missing[#missing + 1] = player[1] end
  end
  return missing
end

-- Ends the tickets of the players to blame, each with its own message; the others return to the queue with their enqueue
-- times. The blame is stored until it is penalised, with the match and with each player: it survives a crash in between,
-- and a new ticket of theirs finds it before the penalty is written. There may be nobody to blame.
local function fall_apart(match_id, tickets, words, others, players, now)
  local queue = ''
  for _, ticket in ipairs(tickets) do
    queue = details_of(ticket).queue
    remove(ticket, field.match, field.accepted_by, field.accept_by)
    if words[ticket.id] then
      tell(ticket, 'cancelled', words[ticket.id], now)
      finish(ticket)
    else
      put_back(ticket, others, now)
    end
    save(ticket)
  end
  call('HDEL', proposal_key(match_id), 'by')
  call('ZREM', ready_checks_key, match_id)
  end_proposal(match_id)
  reopen_backfill(match_id)
  if #players == 0 then return end
  local blame = { matchId = match_id, queue = queue, playerIds = players, at = tonumber(now) }
  call('HSET', proposal_key(match_id), 'blame', cjson.encode(blame))
  call('PERSIST', proposal_key(match_id))
  call('ZADD', blamed_key, now, match_id)
  for _, player in ipairs(players) do call('SET', blame_key(player), match_id, 'EX', blame_ttl_seconds) end
end
