export type * from './balance.js';
export type * from './match.js';
export * from './message.js';
export type * from './ticket.js';
export type * from './waiting.js';
