/** When a player came into a running match and left it for good; null for who was there from the beginning or to the end. */
export interface PlayingTime {
  readonly playerId: string;
  readonly joinedAt: number | null;
  readonly leftAt: number | null;
}

/**
 * Which share of a match each of its late joiners and leavers played, 0 to 1, by player. Who was there for all of it is not in
 * it. The times are the coordinator's: a late joiner counts from when the seat was theirs.
 *
 * @param beganAt when the session went live
 * @param endedAt when its result came
 */
export function playingShares(
  players: readonly PlayingTime[],
  beganAt: number,
  endedAt: number,
): Record<string, number> {
  const length = endedAt - beganAt;
  if (length <= 0) return {};
  const within = (time: number): number => Math.min(endedAt, Math.max(beganAt, time));
  return Object.fromEntries(
    players.flatMap(({ playerId, joinedAt, leftAt }) =>
      joinedAt === null && leftAt === null
        ? []
        : [[playerId, Math.max(0, within(leftAt ?? endedAt) - within(joinedAt ?? beganAt)) / length]],
    ),
  );
}
