--- The match is over for some tickets: releases their players.
--@arg matchId string
--@arg ticketIds json a list
--@arg matchState string
--@arg state string assigned | failed
--@arg reason string
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns the ids that closed
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local closed = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local ticket = open_ticket_of(id, arg.matchId)
  if ticket then
    put(ticket, field.match_state, arg.matchState)
    tell(ticket, arg.state, arg.reason, arg.now)
    finish(ticket)
    save(ticket)
    closed[#closed + 1] = id
  end
end
settle_proposal(arg.matchId)
return closed
