import type { SessionResult } from '@muster/contracts';
import type { Habits } from '@muster/domain';

type Player = NonNullable<SessionResult['players']>[number];

/** A result as it is stored: without what identifies devices and networks. */
export type StoredResult = Omit<SessionResult, 'players'> & {
  players?: Omit<Player, 'habits'>[] | undefined;
};

/** Takes the habits of players out of a result, so a repeat with other habits is the same result. */
export function withoutHabits({ players, ...rest }: SessionResult): {
  body: StoredResult;
  habits: Record<string, Habits>;
} {
  if (!players) return { body: rest, habits: {} };
  const told = new Map<string, Habits>();
  const others = players.map(({ habits, ...player }) => {
    if (habits) told.set(player.playerId, habits);
    return player;
  });
  return { body: { ...rest, players: others }, habits: Object.fromEntries(told) };
}
