--- Returns what keeps players from queueing now: a ticket or a pending penalty. Players without either are left out.
--@arg players json the ids of the players, a list
--@returns for each of them the player, the ticket that holds them (empty: none), and 1 while a penalty is pending, else 0
--@include ticket
local found = {}
for _, player in ipairs(cjson.decode(arg.players)) do
  local ticket = redis.call('GET', player_key(player)) or ''
  local match_id = redis.call('GET', blame_key(player))
  local blamed = match_id and redis.call('HEXISTS', proposal_key(match_id), 'blame') == 1
  if ticket ~= '' or blamed then
    found[#found + 1] = player
    found[#found + 1] = ticket
    found[#found + 1] = blamed and '1' or '0'
  end
end
return found
