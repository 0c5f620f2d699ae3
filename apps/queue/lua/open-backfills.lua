--- Backfills of a queue that no ticket is claimed for.
--@arg queue string
--@returns each as JSON
--@include ticket
return redis.call('HVALS', backfills_key(arg.queue))
