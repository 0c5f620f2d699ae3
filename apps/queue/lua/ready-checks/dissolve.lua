--- Ends open ready checks without blame: their tickets return to the queue with their enqueue times. Redis may have lost
--- acceptances.
--@arg limit number at most this many
--@arg reason string
--@arg now number milliseconds since the epoch
--@returns the ids of their matches
--@include ticket
--@include ready-check
local ended = call('ZRANGE', ready_checks_key, 0, tonumber(arg.limit) - 1)
for _, match_id in ipairs(ended) do
  for _, ticket in ipairs(tickets_of_match(match_id)) do
    remove(ticket, field.match, field.accepted_by, field.accept_by)
    put_back(ticket, arg.reason, arg.now)
    save(ticket)
  end
  call('HDEL', proposal_key(match_id), 'by')
  call('ZREM', ready_checks_key, match_id)
  end_proposal(match_id)
  reopen_backfill(match_id)
end
return ended
