import type { TicketPlayer } from '@muster/domain';

/** A value of each player who has one, by player; undefined when none has. */
export function ofPlayers<T>(
  players: readonly TicketPlayer[],
  valueOf: (player: TicketPlayer) => T | undefined,
): Record<string, T> | undefined {
  const values = players.flatMap((player): [string, T][] => {
    const value = valueOf(player);
    return value === undefined ? [] : [[player.playerId, value]];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}
