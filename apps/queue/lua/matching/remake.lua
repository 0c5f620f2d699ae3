--- Cancels a match so that it is formed again: failed tickets and those that left end; the others return to the queue with their
--- enqueue times, some with other immutable fields, unless one differs from what was read.
--@arg matchId string
--@arg ticketIds json a list
--@arg failed json those that may not return to the queue, a list
--@arg left json those whose players left the match, a list
--@arg rewritten json a list; as JSON, for each ticket that returns without some players or expires later, its id, its immutable
--  fields as read (was) and from now on (fixed), when it expires, and the players who are gone
--@arg back string reason for tickets that return to the queue
--@arg ended string reason for failed tickets
--@arg gone string reason for tickets whose players left
--@arg late string reason for tickets that expired meanwhile
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns done | changed
--@include ticket
if ready_check_is_open(arg.matchId) then return { 'done' } end
local rewritten = {}
for _, text in ipairs(cjson.decode(arg.rewritten)) do
  local each = cjson.decode(text)
  local ticket = read_ticket(each.id)
  if ticket and not ticket.fields[field.closed] and is_of(ticket.fields[field.match], arg.matchId) then
    if fixed_of(ticket) ~= each.was then return { 'changed' } end
    rewritten[each.id] = each
  end
end
local failed, left = {}, {}
for _, id in ipairs(cjson.decode(arg.failed)) do failed[id] = true end
for _, id in ipairs(cjson.decode(arg.left)) do left[id] = true end
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local ticket = open_ticket_of(id, arg.matchId)
  if ticket then
    local returns = false
    local change = rewritten[id]
    local over = (change and change.expires or details_of(ticket).expires_at) <= tonumber(arg.now)
    -- An assigned ticket is never cancelled.
    if left[id] and ticket.fields[field.state] ~= 'assigned' then
      remove(ticket, field.match, field.match_state, field.accepted_by)
      tell(ticket, 'cancelled', arg.gone, arg.now)
      finish(ticket)
    elseif failed[id] or over then
      put(ticket, field.match_state, 'abandoned')
      tell(ticket, 'failed', failed[id] and arg.ended or arg.late, arg.now)
      finish(ticket)
    else
      -- A late update of the old match then finds another match here, or none.
      remove(ticket, field.match, field.match_state, field.assignment, field.accepted_by)
      if change then put_fixed(ticket, change.fixed) end
      put_back(ticket, arg.back, arg.now)
      returns = true
    end
    save(ticket)
    if returns and change then release(ticket, change.gone) end
  end
end
settle_proposal(arg.matchId)
return { 'done' }
