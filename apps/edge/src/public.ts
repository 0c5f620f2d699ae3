// What the single process shares with the edge.
export { addHealth, addRoutes, openOrigin, type ServiceHealth } from './origin.js';
export { sendProblem } from './problem-reply.js';
export { originSettings, type OriginSettings } from './settings.js';
