export * from './curve.js';
export * from './default-rules.js';
export * from './explain.js';
export * from './form.js';
export * from './matchmaker.js';
export * from './packing.js';
export * from './regions.js';
