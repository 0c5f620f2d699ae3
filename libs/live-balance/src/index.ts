export { advantage, type Advantage, type Lever, type LeverAdvice } from './advantage.js';
export {
  idealBots,
  idealPlayerCount,
  teamsAtStart,
  type BotPlan,
  type BotRules,
  type Start,
  type StartRules,
} from './bots.js';
export * from './check.js';
export * from './even-teams.js';
export { exemptModes, exemptionOf, type Exemptions } from './exemptions.js';
export * from './finding.js';
export type { Choice, Guards, Imbalance, ImbalanceKind, MoveDelay } from './imbalance.js';
export * from './joining.js';
export * from './live-match.js';
export { mixTeams, type Mixed } from './mixing.js';
export * from './placement.js';
export * from './policy.js';
export * from './powers.js';
export * from './scramble.js';
export * from './side-pick.js';
export * from './split-cache.js';
export * from './starting.js';
export * from './transfer.js';
export * from './twenty-percent.js';
export * from './roster-events.js';
export {
  afterMoves,
  checkRoster,
  sizesOf,
  sumsOf,
  type MapRange,
  type Move,
  type Roster,
  type RosterPlayer,
} from './roster.js';
export { leadBy, seated, worthBy, withWorth } from './worth.js';
