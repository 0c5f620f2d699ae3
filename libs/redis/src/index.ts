export * from './connect.js';
export * from './keys.js';
export * from './ticket-feed.js';
export * from './ticket-store.js';
export * from './wake-ups.js';
