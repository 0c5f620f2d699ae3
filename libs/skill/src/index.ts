export * from './model.js';
export * from './models.js';
export * from './parameters.js';
export * from './valid-range.js';
export * from './aspects/effect.js';
export * from './aspects/filter.js';
export * from './pool/aspect-worth.js';
export * from './score.js';
export * from './pool/pool-model.js';
export * from './pool/rules.js';
export * from './pool/open-rules.js';
export * from './pool/change-rules.js';
export * from './pool/new-rules.js';
export * from './prediction/calibration.js';
export * from './prediction/features.js';
export * from './prediction/fit.js';
export { outcomeBetween } from './contest.js';
export { hiveKind } from './hive/hive.js';
export * from './hive/refit.js';
export * from './hive/time.js';
export * from './log-weights/logs.js';
export * from './pub-power/power.js';
export { logisticScale } from './synelo/formulas.js';
export * from './prediction/recalibrate.js';
export * from './health/health.js';
export {
  alternateLog,
  isCommon,
  likeliestOlder,
  mostAccounts,
  mostHolders,
  type OlderAccount,
  type OwnHabit,
} from './integrity/habits.js';
export { levelChances } from './integrity/level-chances.js';
export {
  newcomerEvidence,
  newcomerLevels,
  newcomerMatches,
  type NewcomerWatch,
} from './integrity/newcomer.js';
export { collusionOf } from './integrity/opponents.js';
export type { WatchedMatch } from './integrity/results.js';
export { newServer, type ServerWatch } from './integrity/server.js';
export { alternateSignal } from './integrity/signals.js';
export * from './integrity/watch.js';
export * from './newcomers/search.js';
export * from './newcomers/conclude.js';
export * from './newcomers/meeting.js';
export * from './newcomers/regression.js';
export * from './standing/booster.js';
export * from './newcomers/outcome-share.js';
export * from './newcomers/pool-fit.js';
export * from './newcomers/common-stats.js';
export * from './standing/divisions.js';
export * from './standing/inactivity.js';
export * from './standing/season.js';
export * from './standing/signal.js';
export * from './party/bonus.js';
export * from './margin.js';
export { normalBelow, normalDensity } from './maths/normal.js';
