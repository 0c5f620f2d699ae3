--- The match exists: moves its proposed tickets to `placing`. A ticket that was claimed for a backfill now belongs to that match.
--@arg matchId string
--@arg ticketIds json a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns the ids that moved
--@include ticket
local known = call('HMGET', proposal_key(arg.matchId), 'by', 'of')
if known[1] then return {} end
local moved = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local ticket = read_matched(id)
  if ticket and is_proposed(ticket, arg.matchId) then
    put(ticket, field.match_state, 'formed')
    if known[2] then put(ticket, field.match, known[2]) end
    tell(ticket, 'placing', arg.reason, arg.now)
    save(ticket)
    moved[#moved + 1] = id
  end
end
settle_proposal(arg.matchId)
return moved
