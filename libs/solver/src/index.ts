export { chanceToWin } from './chance.js';
export * from './problem.js';
export * from './rebalance.js';
export { split } from './split.js';
export * from './splits.js';
