export { catalogue, type Catalogue } from './catalogue.js';
export type { Entry, TeamParam } from './entry.js';
export * from './message.js';
export type { CoolDownParams, Lasting } from './ticket.js';
export type { PlatformsMet } from './waiting.js';
