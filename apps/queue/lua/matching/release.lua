--- Refuses a proposal: failed tickets end; the others return to the queue with their enqueue times.
--@arg matchId string
--@arg ticketIds json a list
--@arg failed json those that may not return to the queue, a list
--@arg reason string
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns the ids that returned to the queue
--@include ticket
if ready_check_is_open(arg.matchId) then return {} end
local failed = {}
for _, id in ipairs(cjson.decode(arg.failed)) do failed[id] = true end
local back = {}
for _, id in ipairs(cjson.decode(arg.ticketIds)) do
  local ticket = read_ticket(id)
  if ticket and is_proposed(ticket, arg.matchId) then
    remove(ticket, field.match, field.accepted_by)
    if failed[id] then
      tell(ticket, 'failed', arg.reason, arg.now)
      finish(ticket)
    else
      put_back(ticket, arg.reason, arg.now)
      back[#back + 1] = id
    end
    save(ticket)
  end
end
settle_proposal(arg.matchId)
reopen_backfill(arg.matchId)
return back
