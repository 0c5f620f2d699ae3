--- Claims all tickets of a proposal, or none, and opens a ready check if the queue has one. Fenced by the lease's epoch, and
--- only while tickets agree with the matches; idempotent.
--@arg matchId string
--@arg queue string
--@arg ticketIds json a list
--@arg job string payload for assignment, stored for a resend
--@arg reason string
--@arg acceptBy number deadline of the ready check; 0: none
--@arg asking string message for the players when there is a ready check
--@arg backfill string the backfill whose seats it takes; empty: none
--@arg of string the match of the backfill; empty: none
--@arg rulesVersion number version of the queue's rules that formed the match; 0: the version of its tickets
--@arg epoch number
--@arg leaseMs number lease of the proposal when there is no ready check; a reconciler settles it when the lease ends
--@arg now number milliseconds since the epoch
--@many ticketIds
--@returns claimed | stale-epoch | taken | gone, ticket
--@include ticket
--@include lease
--@include memory
local proposal = proposal_key(arg.matchId)
local ids = cjson.decode(arg.ticketIds)
if call('EXISTS', proposal) == 1 then
  for _, id in ipairs(ids) do
    if call('HGET', ticket_key(id), field.match) ~= arg.matchId then return { 'gone', id } end
  end
  return { 'claimed' }
end
if epoch_of(arg.queue) ~= arg.epoch or not is_noted('matching') then return { 'stale-epoch' } end
local waiting = call('ZMSCORE', waiting_key(arg.queue), unpack(ids))
local tickets = {}
for i, id in ipairs(ids) do
  tickets[i] = waiting[i] and read_ticket(id)
  if not tickets[i] then return { 'gone', id } end
end
local seat = false
if arg.backfill ~= '' then
  seat = call('HGET', backfills_key(arg.queue), arg.backfill)
  if not seat then return { 'taken' } end
  call('HDEL', backfills_key(arg.queue), arg.backfill)
  call('HSET', proposal, 'of', arg.of, 'seat', seat)
end
local must_accept = arg.acceptBy ~= '0'
local missing = 0
call('ZREM', waiting_key(arg.queue), unpack(ids))
note_changes(arg.queue, 'claimed', ids, '')
for _, ticket in ipairs(tickets) do
  put(ticket, field.match, arg.matchId)
  if arg.rulesVersion ~= '0' then put(ticket, field.rules_version, arg.rulesVersion) end
  tell(ticket, 'proposed', arg.reason, arg.now)
  if must_accept then
    put(ticket, field.accept_by, arg.acceptBy)
    tell(ticket, 'accepting', arg.asking, arg.now)
    missing = missing + #details_of(ticket).players
  end
  save(ticket)
end
if must_accept then
  call('HSET', proposal, 'job', arg.job, 'tickets', arg.ticketIds, 'by', arg.acceptBy, 'missing', missing)
  call('ZADD', ready_checks_key, arg.acceptBy, arg.matchId)
else
  call('HSET', proposal, 'job', arg.job, 'tickets', arg.ticketIds)
  call('ZADD', proposals_key, tonumber(arg.now) + tonumber(arg.leaseMs), arg.matchId)
end
return { 'claimed' }
