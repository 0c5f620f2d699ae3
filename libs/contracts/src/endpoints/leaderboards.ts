import * as leaderboards from '../http/rating/leaderboards.js';
import { PoolParams } from '../http/rating/pools.js';
import type { Endpoint } from './endpoint.js';

/** Leaderboards of rating pools, and the names on them. */
export const leaderboardEndpoints = {
  readLeaderboard: {
    service: 'rating',
    method: 'GET',
    path: '/v1/pools/:pool/leaderboard',
    summary: 'Read ranks of a pool: the top, those around a player, or those of some players.',
    callers: ['player', 'server', 'fleet', 'operator'],
    params: PoolParams,
    query: leaderboards.ReadLeaderboard,
    status: 200,
    answer: leaderboards.LeaderboardView,
    problems: ['pool-not-found', 'leaderboard-unavailable', 'store-unavailable'],
  },
  namePlayers: {
    service: 'rating',
    method: 'PUT',
    path: '/v1/player-names',
    summary: 'Tell the display names of players, as the last ones seen.',
    callers: ['server', 'fleet', 'operator'],
    body: leaderboards.NamePlayers,
    status: 200,
    answer: leaderboards.PlayersNamed,
    problems: [],
  },
} as const satisfies Record<string, Endpoint>;
