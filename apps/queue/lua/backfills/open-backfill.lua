--- Opens a backfill. No effect once it was closed or had fewer seats left.
--@arg queue string
--@arg backfillId string
--@arg seats number free seats
--@arg backfill string as JSON
--@returns open | old
--@include ticket
local fewest = call('GET', backfill_key(arg.backfillId))
if fewest and tonumber(fewest) < tonumber(arg.seats) then return { 'old' } end
call('SET', backfill_key(arg.backfillId), arg.seats, 'EX', 86400)
call('HSET', backfills_key(arg.queue), arg.backfillId, arg.backfill)
return { 'open' }
