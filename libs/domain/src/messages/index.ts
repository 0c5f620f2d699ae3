export type * from './backfill.js';
export type * from './balance.js';
export type * from './forming.js';
export type * from './match.js';
export * from './message.js';
export type * from './rating.js';
export type * from './split.js';
export type * from './ticket.js';
export type * from './waiting.js';
