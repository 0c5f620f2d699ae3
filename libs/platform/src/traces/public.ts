export { traceSettings } from '../core/trace-settings.js';
export { traceCalls } from '../http/traced-calls.js';
export { openTraces } from './open-traces.js';
