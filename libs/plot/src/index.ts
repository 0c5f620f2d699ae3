export * from './lines.js';
export * from './reliability.js';
