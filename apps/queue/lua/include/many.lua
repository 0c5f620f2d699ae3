-- Runs `one` for each item. An item that fails has no answer but its error, and the others are handled. An error of the
-- server itself, such as that of a replica, is no fault of an item: it is the error of the call.
local server_errors = { 'READONLY', 'OOM', 'MISCONF', 'NOREPLICAS', 'LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'NOPERM' }

local function is_of_server(text)
  for _, code in ipairs(server_errors) do
    if string.find(text, code, 1, true) then return true end
  end
  return false
end

-- Adds the number of an item's values, then the values; or -1 and the text of its error. Returns an error of the server.
local function add_answer(answers, ok, answer)
  if ok then
    answers[#answers + 1] = tostring(#answer)
    for _, value in ipairs(answer) do answers[#answers + 1] = value end
    return nil
  end
  local text = type(answer) == 'table' and answer.err or tostring(answer)
  if is_of_server(text) then return { err = text } end
  answers[#answers + 1] = '-1'
  answers[#answers + 1] = text
  return nil
end
