export * from './allocation.js';
export * from './provider.js';
export * from './rules.js';
