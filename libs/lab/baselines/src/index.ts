export * from './enumeration.js';
export * from './gosper.js';
export * from './greedy.js';
export * from './pair-swap.js';
export * from './restart-greedy.js';
export * from './snake.js';
export * from './steps.js';
export * from './sums.js';
