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
