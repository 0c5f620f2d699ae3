-- The epoch of a queue's lease. A script runs alone, so it is read once a call.
local epochs = {}
local function epoch_of(queue)
  if epochs[queue] == nil then epochs[queue] = call('HGET', root .. ':lease:' .. queue, 'epoch') end
  return epochs[queue]
end
