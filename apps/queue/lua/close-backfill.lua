--- A running match wants nobody any more, for good. A ticket that is claimed for it is decided about by assignment.
--@arg queue string
--@arg backfillId string
--@returns closed
--@include ticket
redis.call('SET', backfill_key(arg.backfillId), 0, 'EX', 86400)
redis.call('HDEL', backfills_key(arg.queue), arg.backfillId)
return { 'closed' }
