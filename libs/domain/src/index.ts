export * from './admission.js';
export * from './players/avoid-list.js';
export * from './matches/backfill.js';
export * from './matches/balance-policy.js';
export * from './backfill-life/index.js';
export * from './batcher.js';
export * from './players/ban.js';
export * from './players/behaviour.js';
export * from './players/judge-report.js';
export * from './ratings/booster.js';
export * from './players/bot.js';
export * from './clock.js';
export * from './error-codes.js';
export * from './errors.js';
export * from './servers/enrolment.js';
export * from './servers/hearing.js';
export * from './servers/trust.js';
export * from './misconfigured.js';
export * from './hosting/index.js';
export * from './ids.js';
export * from './ratings/integrity.js';
export * from './json.js';
export * from './ratings/ledger.js';
export * from './ratings/report.js';
export * from './tickets/live-tickets.js';
export * from './matches/match.js';
export * from './match-life/index.js';
export * from './messages/index.js';
export * from './matches/match-roster.js';
export * from './outbox.js';
export * from './own.js';
export { version } from './version.js';
export * from './one-of.js';
export * from './grouped.js';
export * from './pace.js';
export * from './players/party.js';
export * from './players/penalty.js';
export * from './players/player-request.js';
export * from './players/pseudonym.js';
export * from './ratings/rating.js';
export * from './matches/playing-time.js';
export * from './ratings/aspect.js';
export * from './ratings/rating-pool.js';
export * from './matches/region-openings.js';
export * from './players/reserved-id.js';
export * from './tickets/pause.js';
export * from './tickets/rules-store.js';
export * from './servers/capacity.js';
export * from './servers/scale-out.js';
export * from './ratings/season.js';
export * from './servers/server.js';
export * from './servers/server-labels.js';
export * from './servers/server-load.js';
export * from './matches/session-players.js';
export * from './tickets/ticket.js';
export * from './tickets/ticket-store.js';
export type {
  Aggregation,
  AspectRules,
  BalanceRule,
  BalanceRuleOf,
  BalanceTerms,
  BoosterRules,
  Capacity,
  CapacityReport,
  Circumstance,
  CoolDownRules,
  CrossPlayRules,
  CurvePoint,
  Division,
  EntryRules,
  InactivityRules,
  IntegrityRules,
  MatchOffence,
  OpenBackfill,
  SeedingRules,
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
