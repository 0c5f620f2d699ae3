export * from './changes.js';
export * from './close.js';
export * from './let-in.js';
export * from './open.js';
export * from './seat.js';
export * from './state.js';
