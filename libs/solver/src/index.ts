export { chanceToWin } from './problem/chance.js';
export * from './problem/problem.js';
export * from './rebalance.js';
export { split } from './split.js';
export * from './splits.js';
