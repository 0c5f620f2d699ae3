export * from './backfill-races.js';
export * from './conformance.js';
export * from './memory-match-stores.js';
export * from './races.js';
export type { CreateMatchLife, MatchLifeStores, MatchLifeUnderTest, MatchLifeView } from './stores.js';
