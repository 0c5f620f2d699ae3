export * from './model.js';
export * from './models.js';
export * from './openskill-plackett-luce.js';
export * from './score.js';
