export * from './caller.js';
export * from './operator-client.js';
export * from './player-client.js';
export * from './problem.js';
export * from './server-client.js';
