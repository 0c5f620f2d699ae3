--- The match exists: moves its proposed tickets to `placing`. A ticket that was claimed for a backfill now belongs to that match.
--@arg matchId string
--@arg ticketIds json a list
--@arg reason string
--@arg queue string the queue in which the match counts; empty: in none
--@arg gap number its team gap, in thousandths
--@arg lead number the lead of its favourite, in hundred-thousandths; -1: there is none
--@arg waits json how long each ticket waited for it, in milliseconds
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns the ids that moved
--@include ticket
local known = call('HMGET', proposal_key(arg.matchId), 'by', 'of')
if known[1] then return {} end
-- A match counts once, however often and in whatever order its updates come.
local proposal = proposal_key(arg.matchId)
if arg.queue ~= '' and call('EXISTS', proposal) == 1 and call('HSETNX', proposal, 'counted', '1') == 1 then
  count_value(arg.queue, 'gap', tonumber(arg.gap))
  for _, waited in ipairs(cjson.decode(arg.waits)) do count_value(arg.queue, 'waited', tonumber(waited)) end
  if arg.lead ~= '-1' then count_value(arg.queue, 'lead', tonumber(arg.lead)) end
end
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
