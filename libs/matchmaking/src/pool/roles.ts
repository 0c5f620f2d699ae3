import type { TicketPlayer } from '@muster/domain';

/**
 * The most places of some roles that these players can fill, one place each: a maximum matching by augmenting paths (Kuhn
 * 1955).
 *
 * @param demand places by role, of all teams together
 */
export function rolesFilled(
  players: readonly Pick<TicketPlayer, 'canPlay'>[],
  demand: Readonly<Record<string, number>>,
): number {
  const places = Object.entries(demand).flatMap(([role, count]) => Array.from({ length: count }, () => role));
  const filledBy = places.map(() => -1);
  const place = (player: number, tried: Set<number>): boolean => {
    const roles = players[player]?.canPlay ?? [];
    for (const [i, role] of places.entries()) {
      if (tried.has(i) || !roles.includes(role)) continue;
      tried.add(i);
      const holder = filledBy[i] ?? -1;
      if (holder >= 0 && !place(holder, tried)) continue;
      filledBy[i] = player;
      return true;
    }
    return false;
  };
  let filled = 0;
  for (let i = 0; i < players.length && filled < places.length; i++) if (place(i, new Set())) filled++;
  return filled;
}
