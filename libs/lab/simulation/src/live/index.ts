export * from './chance.js';
export * from './community-server.js';
export * from './figures.js';
export { playMatch, type LiveContender } from './play-match.js';
export * from './play-matches.js';
export {
  scriptOf,
  teamSizeOf,
  type LiveGroup,
  type LivePlayer,
  type LiveStart,
  type MatchScript,
} from './script.js';
