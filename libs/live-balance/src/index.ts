export { advantage, type Advantage, type Lever, type LeverAdvice } from './joins/advantage.js';
export {
  idealBots,
  idealPlayerCount,
  teamsAtStart,
  type BotPlan,
  type BotRules,
  type Start,
  type StartRules,
} from './joins/bots.js';
export * from './moves/check.js';
export * from './moves/even-teams.js';
export { exemptModes, exemptionOf, type Exemptions } from './roster/exemptions.js';
export * from './moves/finding.js';
export type { Choice, Guards, Imbalance, ImbalanceKind, MoveDelay } from './moves/imbalance.js';
export * from './joins/joining.js';
export * from './live-match.js';
export { mixTeams, type Mixed } from './scrambles/mixing.js';
export * from './joins/placement.js';
export * from './policies.js';
export * from './policy.js';
export * from './roster/powers.js';
export * from './scrambles/scramble.js';
export * from './scrambles/side-pick.js';
export * from './scrambles/split-cache.js';
export * from './joins/starting.js';
export * from './moves/transfer.js';
export * from './moves/twenty-percent.js';
export * from './roster/roster-events.js';
export {
  afterMoves,
  checkRoster,
  sizesOf,
  sumsOf,
  type MapRange,
  type Move,
  type Roster,
  type RosterPlayer,
} from './roster/roster.js';
export { leadBy, seated, worthBy, withWorth } from './worth.js';
