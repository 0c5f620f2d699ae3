export * from './connect.js';
export * from './keys.js';
export { clientStates, stuckClients } from './lasting.js';
export { ScriptItemFailed, scriptRunner, type Script, type ScriptRunner } from './script-runner.js';
export * from './replicated.js';
export * from './target.js';
export * from './wake-ups.js';
export { scanKeys } from './scan-keys.js';
export * from './rewrite-logs.js';
