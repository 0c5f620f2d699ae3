import * as boosters from '../http/rating/boosters.js';
import { PoolParams } from '../http/rating/pools.js';
import * as seasons from '../http/rating/seasons.js';
import { endpointsOf } from './endpoint.js';

/** Seasons of rating pools. */
export const seasonEndpoints = endpointsOf('rating', {
  listSeasons: {
    call: 'GET /v1/pools/:pool/seasons',
    summary: 'List a pool’s seasons, newest first: announced, running and ended.',
    callers: ['player', 'server', 'fleet', 'operator'],
    role: 'viewer',
    params: PoolParams,
    answer: seasons.SeasonList,
    problems: ['pool-not-found'],
  },
  previewSeason: {
    call: 'POST /v1/pools/:pool/seasons/preview',
    summary: 'Preview what the next season would do to ratings and divisions. Nothing is stored.',
    callers: ['operator'],
    role: 'viewer',
    stores: false,
    params: PoolParams,
    body: seasons.PreviewSeason,
    answer: seasons.SeasonPreview,
    problems: ['pool-not-found', 'pool-invalid'],
  },
  beginSeason: {
    call: 'POST /v1/pools/:pool/seasons/:number',
    summary:
      'Begin a pool’s next season, or announce it. One that has begun is unchanged, and cannot be undone.',
    callers: ['operator'],
    role: 'operator',
    params: seasons.SeasonParams,
    body: seasons.BeginSeason,
    answer: seasons.SeasonView,
    problems: ['pool-not-found', 'pool-invalid', 'season-conflict', 'time-past'],
  },
  withdrawSeason: {
    call: 'DELETE /v1/pools/:pool/seasons/:number',
    summary: 'Withdraw the announcement of a season.',
    callers: ['operator'],
    role: 'operator',
    params: seasons.SeasonParams,
    answer: seasons.SeasonWithdrawn,
    problems: ['pool-not-found', 'season-not-found'],
  },
  readSeasonStandings: {
    call: 'GET /v1/pools/:pool/seasons/:number/standings',
    summary: 'Read the final standings of an ended season, by rank or of some players.',
    callers: ['player', 'server', 'fleet', 'operator'],
    role: 'viewer',
    params: seasons.ArchivedSeasonParams,
    query: seasons.PageOfStandings,
    answer: seasons.SeasonStandings,
    problems: ['pool-not-found', 'season-not-found', 'standings-unavailable'],
  },
});

/** Boosters of players in rating pools. */
export const boosterEndpoints = endpointsOf('rating', {
  grantBooster: {
    call: 'POST /v1/pools/:pool/boosters',
    summary: 'Grant a player a booster: a limited number of matches in another division.',
    callers: ['operator'],
    role: 'support',
    params: PoolParams,
    body: boosters.GrantBooster,
    answer: boosters.BoosterView,
    problems: ['pool-not-found', 'booster-refused', 'idempotency-key-reused'],
  },
  listBoosters: {
    call: 'GET /v1/pools/:pool/boosters',
    summary: 'List a player’s boosters, newest first.',
    callers: ['operator'],
    role: 'viewer',
    params: PoolParams,
    query: boosters.BoostersOfPlayer,
    answer: boosters.BoosterList,
    problems: ['pool-not-found'],
  },
  revokeBooster: {
    call: 'DELETE /v1/pools/:pool/boosters/:boosterId',
    summary: 'Revoke a booster. No match is rated with it from then on.',
    callers: ['operator'],
    role: 'support',
    params: boosters.BoosterParams,
    query: boosters.RevokeBooster,
    answer: boosters.BoosterView,
    problems: ['pool-not-found', 'booster-not-found'],
  },
  myBoosters: {
    call: 'GET /v1/me/boosters',
    summary: 'Read your own boosters in a pool.',
    callers: ['player'],
    query: boosters.MyBoosters,
    answer: boosters.MyBoostersView,
    problems: ['pool-not-found'],
  },
});
