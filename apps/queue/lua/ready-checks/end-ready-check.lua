--- Ends a ready check after its deadline: tickets with an unanswered player end; the others return to the queue with their
--- enqueue times.
--@arg matchId string
--@arg ticketIds json tickets that end, a list
--@arg words json messages for the players of each of them, in the same order
--@arg others string message for the other tickets
--@arg excused number 1: nobody is to blame; 0: the players who did not answer are
--@arg now number milliseconds since the epoch
--@returns ended | decided | deaf
--@include ticket
--@include ready-check
local by = call('HGET', proposal_key(arg.matchId), 'by')
if not by or tonumber(arg.now) < tonumber(by) then return { 'decided' } end
if is_deaf() then return { 'deaf' } end
local message_of = {}
local words = cjson.decode(arg.words)
for i, id in ipairs(cjson.decode(arg.ticketIds)) do message_of[id] = words[i] end
local theirs, players = {}, {}
local tickets = tickets_of_match(arg.matchId)
for _, ticket in ipairs(tickets) do
  local missing = unanswered_of(ticket)
  if arg.excused ~= '1' then
    for _, player in ipairs(missing) do players[#players + 1] = player end
  end
  if #missing > 0 then theirs[ticket.id] = message_of[ticket.id] or arg.others end
end
fall_apart(arg.matchId, tickets, theirs, arg.others, players, arg.now)
return { 'ended' }
