-- Erasure of a player from tickets.

-- In the place of a ticket's id, while a player is being erased.
local erasing = 'erasing'

local function is_ticket(key, kind) return kind == 'hash' and string.find(key, ticket_key(''), 1, true) == 1 end

local function is_of_player(fixed, player)
  local ok, list = pcall(cjson.decode, fixed)
  if not ok or type(list) ~= 'table' or type(list[6]) ~= 'table' then return false end
  for _, each in ipairs(list[6]) do
    if type(each) == 'table' and each[1] == player then return true end
  end
  return false
end

-- Deletes the player's own ticket with its log: it has ended, and its text is cut into pieces, also within the id. One that
-- names the player in what is said to others is rewritten. Returns whether the ticket is changed, and how many keys are deleted.
local function erase_from_ticket(key, player, rewritten)
  local ticket = read_ticket(string.sub(key, #ticket_key('') + 1))
  local fixed = fixed_of(ticket)
  if is_of_player(fixed, player) then return false, call('DEL', key, log_key(ticket.id)) end
  if rewritten(fixed) ~= fixed then put_fixed(ticket, rewritten(fixed)) end
  local messages = joined(ticket, field.messages)
  -- Readers take the text of the reason in place of messages.
  if rewritten(messages) ~= messages then
    local piece = 1
    while ticket.fields[field.messages .. piece] do
      remove(ticket, field.messages .. piece)
      piece = piece + 1
    end
  end
  for _, name in ipairs({ field.reason, field.accepted_by, field.assignment }) do
    local value = ticket.fields[name]
    if value and rewritten(value) ~= value then put(ticket, name, rewritten(value)) end
  end
  local changed = #ticket.changed > 0 or next(ticket.removed) ~= nil
  save(ticket)
  return changed, 0
end
