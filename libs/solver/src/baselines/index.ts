export * from './enumeration.js';
export * from './gosper.js';
export * from './greedy.js';
export * from './karmarkar-karp.js';
export * from './pair-swap.js';
export * from './steps.js';
export * from './sums.js';
export * from './unreal.js';
