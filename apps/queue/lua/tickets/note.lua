--- Writes a new reason to tickets that are being placed.
--@arg matchId string
--@arg ticketIds json a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns the ids that were updated
--@include ticket
local updated = {}
local text = reason_of(arg.reason).text
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local ticket = read_matched(id)
  local fields = ticket and ticket.fields or {}
  if fields[field.state] == 'placing' and fields[field.match] == arg.matchId and fields[field.reason] ~= text then
    tell(ticket, 'placing', arg.reason, arg.now)
    save(ticket)
    updated[#updated + 1] = id
  end
end
return updated
