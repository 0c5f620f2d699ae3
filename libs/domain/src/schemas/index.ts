export * from './balance-policy.js';
export * from './fields.js';
export * from './names.js';
export * from './pool-rules.js';
export * from './queue-rules.js';
export type * from './unchanging.js';
