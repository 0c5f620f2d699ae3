export * from './caller.js';
export * from './operator-client.js';
export * from './player-client.js';
export * from './rounds-client.js';
export type { RoundTeams } from './split-cache.js';
export * from './problem.js';
export * from './server-client.js';
export type { Happening } from './roster-log.js';
