export * from './avoid-list.js';
export * from './backfill.js';
export * from './balance-policy.js';
export * from './backfill-life/index.js';
export * from './batcher.js';
export * from './behaviour.js';
export * from './booster.js';
export * from './bot.js';
export * from './calibration-store.js';
export * from './clock.js';
export * from './error-codes.js';
export * from './errors.js';
export * from './hearing.js';
export * from './misconfigured.js';
export * from './hosting/index.js';
export * from './ids.js';
export * from './integrity.js';
export * from './json.js';
export * from './ledger-life/index.js';
export * from './ledger.js';
export * from './live-tickets.js';
export * from './match.js';
export * from './match-life/index.js';
export * from './messages/index.js';
export * from './match-roster.js';
export * from './outbox.js';
export * from './own.js';
export * from './grouped.js';
export * from './pace.js';
export * from './party.js';
export * from './penalty.js';
export * from './player-request.js';
export * from './pseudonym.js';
export * from './rating.js';
export * from './playing-time.js';
export * from './aspect.js';
export * from './rating-pool.js';
export * from './region-openings.js';
export * from './reserved-id.js';
export * from './rules-store.js';
export * from './capacity.js';
export * from './scale-out.js';
export * from './season.js';
export * from './server.js';
export * from './server-labels.js';
export * from './server-load.js';
export * from './session-players.js';
export * from './standing-life/index.js';
export * from './ticket.js';
export * from './ticket-store.js';
export * from './live-session.js';
export type {
  Aggregation,
  AspectRules,
  BalanceRule,
  BalanceRuleOf,
  BalanceTerms,
  BoosterRules,
  Circumstance,
  CoolDownRules,
  CrossPlayRules,
  CurvePoint,
  Division,
  EntryRules,
  InactivityRules,
  IntegrityRules,
  MapRules,
  MatchOffence,
  OpenBackfill,
  PlacementRules,
  PlayerFacts,
  PoolRules,
  QueueRules,
  RatingRules,
  RegionOpening,
  RegionOpenings,
  ResultRules,
  SeasonRules,
  Seated,
  SplitCertificate,
  SplitRecord,
  WideningCurve,
} from './schemas/index.js';
