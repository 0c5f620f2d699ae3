--- Lists the unclaimed backfills of a queue.
--@arg queue string
--@returns each as JSON
--@include ticket
return call('HVALS', backfills_key(arg.queue))
