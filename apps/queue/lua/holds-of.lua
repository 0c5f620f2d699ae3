--- What keeps players from a new ticket right now. Only those of them whom something keeps.
--@arg players json the ids of the players, a list
--@returns for each of them the player, the ticket that holds them (empty: none), and 1 while they are to be penalised, else 0
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
