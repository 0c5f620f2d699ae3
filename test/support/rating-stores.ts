import { readsOf } from '@muster/db';
import { PostgresRatings } from '../../apps/rating/src/core/ratings.store.js';
import { PostgresMatches } from '../../apps/rating/src/ledger/matches.store.js';
import { PostgresReports } from '../../apps/rating/src/ledger/reported.store.js';
import { PostgresPools } from '../../apps/rating/src/pools/pools.store.js';
import { PostgresRatedMatches } from '../../apps/rating/src/pools/rated-matches.store.js';
import { PostgresRatingHistory } from '../../apps/rating/src/ratings/history.store.js';
import type { Db } from './prisma.js';

/** The rating service's stores of pools, matches and ratings over one database. */
export class RatingStores {
  readonly pools: PostgresPools;
  readonly ratings: PostgresRatings;
  readonly matches: PostgresMatches;
  readonly reports: PostgresReports;
  readonly rated: PostgresRatedMatches;
  readonly history: PostgresRatingHistory;

  constructor(db: Db, reads = readsOf(db)) {
    this.pools = new PostgresPools(db);
    this.ratings = new PostgresRatings(db);
    this.matches = new PostgresMatches(db);
    this.reports = new PostgresReports(db);
    this.rated = new PostgresRatedMatches(db);
    this.history = new PostgresRatingHistory(db, reads);
  }
}
