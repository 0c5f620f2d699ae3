--- Closes a backfill for good. Assignment decides about a ticket that is already claimed for it.
--@arg queue string
--@arg backfillId string
--@returns closed
--@include ticket
call('SET', backfill_key(arg.backfillId), 0, 'EX', 86400)
call('HDEL', backfills_key(arg.queue), arg.backfillId)
return { 'closed' }
