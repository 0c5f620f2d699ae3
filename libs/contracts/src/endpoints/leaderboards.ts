import * as leaderboards from '../http/rating/leaderboards.js';
import { PoolParams } from '../http/rating/pools.js';
import { endpointsOf } from './endpoint.js';

/** Leaderboards of rating pools, and the names on them. */
export const leaderboardEndpoints = endpointsOf('rating', {
  readLeaderboard: {
    call: 'GET /v1/pools/:pool/leaderboard',
    summary: 'Read ranks of a pool: the top, those around a player, or those of some players.',
    callers: ['player', 'server', 'fleet', 'operator'],
    role: 'viewer',
    params: PoolParams,
    query: leaderboards.ReadLeaderboard,
    answer: leaderboards.LeaderboardView,
    problems: ['pool-not-found', 'leaderboard-unavailable', 'store-unavailable'],
  },
  namePlayers: {
    call: 'PUT /v1/player-names',
    summary: 'Tell the display names of players, as the last ones seen.',
    callers: ['server', 'fleet', 'operator'],
    role: 'support',
    body: leaderboards.NamePlayers,
    answer: leaderboards.PlayersNamed,
  },
});
