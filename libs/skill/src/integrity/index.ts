export { levelChances } from './level-chances.js';
export { newcomerEvidence, newcomerLevels, newcomerMatches } from './newcomer.js';
export { collusionOf } from './opponents.js';
export type { WatchedMatch } from './results.js';
export { newServer, type ServerWatch } from './server.js';
export * from './watch.js';
