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
  fall_apart(match_id, tickets_of_match(match_id), {}, arg.reason, {}, arg.now)
end
return ended
