--- Writes a new reason to tickets that are being placed.
--@arg matchId string
--@arg ticketIds json a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns the ids that were updated
--@include ticket
local updated = {}
local reason = parts_of(arg.reason)
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local known = redis.call('HMGET', ticket_key(id), field.state, field.match, field.reason)
  if known[1] == 'placing' and known[2] == arg.matchId and known[3] ~= reason then
    tell(id, 'placing', arg.reason, arg.now)
    updated[#updated + 1] = id
  end
end
return updated
