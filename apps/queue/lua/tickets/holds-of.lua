--- Returns what keeps players from queueing now: a ticket or a pending penalty. Players without either are left out.
--@arg players json the ids of the players, a list
--@many players
--@returns for each of them the player, the ticket that holds them (empty: none), and 1 while a penalty is pending, else 0
--@include ticket
local players = cjson.decode(arg.players)
if #players == 0 then return {} end
local keys, found = {}, {}
for _, player in ipairs(players) do
  keys[#keys + 1] = player_key(player)
  keys[#keys + 1] = blame_key(player)
end
local known = call('MGET', unpack(keys))
for i, player in ipairs(players) do
  local ticket, match_id = known[2 * i - 1], known[2 * i]
  local blamed = match_id and call('HEXISTS', proposal_key(match_id), 'blame') == 1
  if ticket or blamed then
    found[#found + 1] = player
    found[#found + 1] = ticket or ''
    found[#found + 1] = blamed and '1' or '0'
  end
end
return found
