--- Ends a ready check whose time is over: tickets that somebody did not answer for end, the others wait again at their old place.
--@arg matchId string
--@arg ticketIds json tickets that end, a list
--@arg words json what the players of each of them are told, in the same order
--@arg others string what everybody else is told
--@arg now number milliseconds since the epoch
--@arg hearingNow number the same, to tell whether a replica could not hear lately; 0: by the server's own clock
--@returns ended | decided | deaf
--@include ticket
--@include ready-check
local by = redis.call('HGET', proposal_key(arg.matchId), 'by')
if not by or tonumber(arg.now) < tonumber(by) then return { 'decided' } end
if is_deaf(arg.hearingNow) then return { 'deaf' } end
local told = {}
local words = cjson.decode(arg.words)
for i, id in ipairs(cjson.decode(arg.ticketIds)) do told[id] = words[i] end
local theirs, players = {}, {}
for _, id in ipairs(tickets_of_match(arg.matchId)) do
  local missing = unanswered_of(id)
  for _, player in ipairs(missing) do players[#players + 1] = player end
  if #missing > 0 then theirs[id] = told[id] or arg.others end
end
fall_apart(arg.matchId, theirs, arg.others, players, arg.now)
return { 'ended' }
