/**
 * Assigns the roles of a team: as many places as possible, each player one. A maximum matching by augmenting paths (Kuhn
 * 1955); players with the fewest roles are placed first, so that those with more keep a choice.
 *
 * @param team in the order in which equals are placed
 * @param demand places by role
 * @returns the role of each player who fills a place
 */
export function fillRoles(
  team: readonly { readonly playerId: string; readonly canPlay: readonly string[] }[],
  demand: Readonly<Record<string, number>>,
): ReadonlyMap<string, string> {
  const places = Object.entries(demand).flatMap(([role, count]) => Array.from({ length: count }, () => role));
  const filledBy = new Map<number, string>();
  const byId = new Map(team.map((player) => [player.playerId, player.canPlay]));
  const place = (playerId: string, tried: Set<number>): boolean => {
    const canPlay = byId.get(playerId) ?? [];
    for (const [i, role] of places.entries()) {
      if (tried.has(i) || !canPlay.includes(role)) continue;
      tried.add(i);
      const holder = filledBy.get(i);
      if (holder !== undefined && !place(holder, tried)) continue;
      filledBy.set(i, playerId);
      return true;
    }
    return false;
  };
  for (const { playerId } of team.toSorted((a, b) => a.canPlay.length - b.canPlay.length))
    place(playerId, new Set());
  return new Map([...filledBy].map(([i, playerId]) => [playerId, places[i] ?? '']));
}
