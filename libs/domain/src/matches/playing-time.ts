import { own } from '../own.js';
import type { Played, PlayingTimes, Stretch } from '../ratings/rating-pool.js';

/** When a player joined a running match and left it for good; null for presence from the start or to the end. */
export interface PlayingTime {
  readonly playerId: string;
  readonly joinedAt: number | null;
  readonly leftAt: number | null;
}

/** When each late joiner and leaver of a match was present, and which of them joined late. */
export type RecordedTimes = Pick<Played, 'times' | 'late'>;

/**
 * When the late joiners and leavers of a match were present. Players present throughout are not named. The times are the
 * coordinator's: a late joiner counts from when the seat was theirs.
 *
 * @param beganAt when the session went live, in milliseconds since the epoch
 * @param endedAt when its result arrived
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

/** The share of a match that some stretches cover, 0 to 1, with every moment of equal weight. */
export function shareOfMatch(stretches: readonly Stretch[], lengthMs: number): number {
  const played = stretches.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, toMs - fromMs), 0);
  return lengthMs > 0 ? Math.min(1, played / lengthMs) : 0;
}

/** Shares by player, computed by `shareOfMatch`. */
export function sharesIn({ lengthMs, stretches }: PlayingTimes): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stretches).map(([playerId, each]) => [playerId, shareOfMatch(each, lengthMs)]),
  );
}

/**
 * Merges a server's times with the coordinator's for players without reported ones. Their clocks may differ in the start
 * and end of the match: the coordinator's times are scaled to the length that the server reported, if it reported one.
 */
export function withRecorded(reported: Played, { times, late }: RecordedTimes): Played {
  const lengthMs = reported.times?.lengthMs ?? times?.lengthMs;
  if (!times || lengthMs === undefined) return late ? { ...reported, late } : reported;
  const reportedIds = new Set([
    ...Object.keys(reported.shares ?? {}),
    ...Object.keys(reported.times?.stretches ?? {}),
  ]);
  const scale = lengthMs / times.lengthMs;
  const known = Object.entries(times.stretches)
    .filter(([playerId]) => !reportedIds.has(playerId))
    .map(([playerId, each]): [string, Stretch[]] => [
      playerId,
      each.map(({ fromMs, toMs }) => ({ fromMs: fromMs * scale, toMs: toMs * scale })),
    ]);
  const stretches = Object.fromEntries([...known, ...Object.entries(reported.times?.stretches ?? {})]);
  const shares = { ...sharesIn({ lengthMs, stretches: Object.fromEntries(known) }), ...reported.shares };
  return {
    ...reported,
    ...(Object.keys(shares).length > 0 ? { shares } : {}),
    ...(Object.keys(stretches).length > 0 ? { times: { lengthMs, stretches } } : {}),
    ...(late ? { late: [...new Set([...late, ...(reported.late ?? [])])] } : {}),
  };
}

/**
 * Players who left with permission are rated by their share of the match as substitutes are, and no time tells that they left: a
 * rating model does not charge them as leavers. They were away since the coordinator let them go, so their share is at most the
 * recorded one.
 */
export function withPermission(
  played: Played,
  recorded: RecordedTimes,
  playerIds: readonly string[],
): Played {
  const { times, shares, ...rest } = played;
  if (playerIds.length === 0) return played;
  const most = recorded.times ? sharesIn(recorded.times) : {};
  const limited = playerIds.flatMap((id): [string, number][] => {
    const share = Math.min(own(shares, id) ?? 1, own(most, id) ?? 1);
    return share < 1 ? [[id, share]] : [];
  });
  const others = Object.entries(times?.stretches ?? {}).filter(([id]) => !playerIds.includes(id));
  const allShares = { ...shares, ...Object.fromEntries(limited) };
  return {
    ...rest,
    ...(Object.keys(allShares).length > 0 ? { shares: allShares } : {}),
    ...(times && others.length > 0 ? { times: { ...times, stretches: Object.fromEntries(others) } } : {}),
  };
}
