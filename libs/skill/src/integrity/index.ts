export {
  alternateLog,
  isCommon,
  likeliestOlder,
  mostAccounts,
  mostHolders,
  type OlderAccount,
  type OwnHabit,
} from './habits.js';
export { levelChances } from './level-chances.js';
export { newcomerEvidence, newcomerLevels, newcomerMatches, type NewcomerWatch } from './newcomer.js';
export { collusionOf } from './opponents.js';
export type { WatchedMatch } from './results.js';
export { newServer, type ServerWatch } from './server.js';
export { alternateSignal } from './signals.js';
export * from './watch.js';
