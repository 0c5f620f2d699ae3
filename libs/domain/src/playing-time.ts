import type { Played, PlayingTimes, Stretch } from './rating-pool.js';

/** When a player came into a running match and left it for good; null for who was there from the beginning or to the end. */
export interface PlayingTime {
  readonly playerId: string;
  readonly joinedAt: number | null;
  readonly leftAt: number | null;
}

/** When each of the late joiners and leavers of a match was there, and who of them came late. */
export type RecordedTimes = Pick<Played, 'times' | 'late'>;

/**
 * When the late joiners and leavers of a match were there. Who was there for all of it is not named. The times are the
 * coordinator's: a late joiner counts from when the seat was theirs.
 *
 * @param beganAt when the session went live, in milliseconds since the epoch
 * @param endedAt when its result came
 */
export function recordedTimes(
  players: readonly PlayingTime[],
  beganAt: number,
  endedAt: number,
): RecordedTimes {
  const lengthMs = endedAt - beganAt;
  if (lengthMs <= 0) return {};
  const within = (time: number): number => Math.min(endedAt, Math.max(beganAt, time)) - beganAt;
  const partial = players.filter(({ joinedAt, leftAt }) => joinedAt !== null || leftAt !== null);
  if (partial.length === 0) return {};
  const stretches = partial.map(({ playerId, joinedAt, leftAt }): [string, Stretch[]] => {
    const stretch = { fromMs: within(joinedAt ?? beganAt), toMs: within(leftAt ?? endedAt) };
    return [playerId, stretch.toMs > stretch.fromMs ? [stretch] : []];
  });
  const late = partial.flatMap(({ playerId, joinedAt }) =>
    joinedAt !== null && joinedAt > beganAt ? [playerId] : [],
  );
  return {
    times: { lengthMs, stretches: Object.fromEntries(stretches) },
    ...(late.length > 0 ? { late } : {}),
  };
}

/** Share of a match that some stretches of it are, 0 to 1, with every moment worth the same. */
export function shareOfMatch(stretches: readonly Stretch[], lengthMs: number): number {
  const played = stretches.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, toMs - fromMs), 0);
  return lengthMs > 0 ? Math.min(1, played / lengthMs) : 0;
}

/** Shares by player, as `shareOfMatch` has them. */
export function sharesIn({ lengthMs, stretches }: PlayingTimes): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stretches).map(([playerId, each]) => [playerId, shareOfMatch(each, lengthMs)]),
  );
}

/**
 * What a server said of a match, with what is known here of those for whom it said no time. The two may have begun and ended the
 * match at other moments: what is known here is brought to the length that the server told, if it told one.
 */
export function withRecorded(said: Played, { times, late }: RecordedTimes): Played {
  const lengthMs = said.times?.lengthMs ?? times?.lengthMs;
  if (!times || lengthMs === undefined) return late ? { ...said, late } : said;
  const told = new Set([...Object.keys(said.shares ?? {}), ...Object.keys(said.times?.stretches ?? {})]);
  const scale = lengthMs / times.lengthMs;
  const known = Object.entries(times.stretches)
    .filter(([playerId]) => !told.has(playerId))
    .map(([playerId, each]): [string, Stretch[]] => [
      playerId,
      each.map(({ fromMs, toMs }) => ({ fromMs: fromMs * scale, toMs: toMs * scale })),
    ]);
  const stretches = Object.fromEntries([...known, ...Object.entries(said.times?.stretches ?? {})]);
  const shares = { ...sharesIn({ lengthMs, stretches: Object.fromEntries(known) }), ...said.shares };
  return {
    ...said,
    ...(Object.keys(shares).length > 0 ? { shares } : {}),
    ...(Object.keys(stretches).length > 0 ? { times: { lengthMs, stretches } } : {}),
    ...(late ? { late: [...new Set([...late, ...(said.late ?? [])])] } : {}),
  };
}
