export * from './baselines/index.js';
export * from './measures/newcomers.js';
export * from './measures/result.js';
export type { Figures } from './measures/tally.js';
export * from './population/population.js';
export * from './population/presets.js';
export * from './simulate.js';
export * from './windows.js';
export { judgeOf } from './world/teams.js';
