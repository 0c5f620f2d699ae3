export * from './decision.js';
export * from './penalty.js';
export * from './report.js';
