// The schemas of documents are part of the contract; the domain states them, since it decides by them.
export {
  BuildName,
  CoordinatorId,
  flawsWithin,
  Label,
  MatchSplit,
  PartyName,
  PersonId,
  PlayerId,
  PolicyChoice,
  PoolName,
  PoolRulesBody,
  QueueName,
  QueueRulesSchema,
  queueRulesShape,
  readResultRules,
  RegionName,
  RegionOpenings,
  RoleName,
  RulesOfMatch,
  ServerId,
  type Flaw,
} from '@muster/domain/schemas';
export * from './call-kinds.js';
export * from './cors.js';
export * from './endpoints.js';
export * from './http/attributes.js';
export * from './http/avoided.js';
export * from './http/backfills.js';
export * from './http/balance.js';
export * from './http/behaviour.js';
export * from './http/boosters.js';
export * from './http/headers.js';
export * from './http/jobs.js';
export * from './http/live-sessions.js';
export * from './http/matches.js';
export * from './http/parties.js';
export * from './http/penalties.js';
export * from './http/player-requests.js';
export * from './http/pools.js';
export * from './http/ratings.js';
export * from './http/results.js';
export * from './http/integrity.js';
export * from './http/leaderboards.js';
export * from './http/placement.js';
export * from './http/seasons.js';
export * from './http/record.js';
export * from './http/rounds.js';
export * from './http/capacity.js';
export * from './http/servers.js';
export * from './http/teams.js';
export * from './http/tickets.js';
export { issuesOf } from './http/took-part.js';
export { DisplayName } from './display-name.js';
export * from './jobs.js';
export * from './match-jobs.js';
export * from './messages/index.js';
export * from './openapi.js';
export * from './outbox-jobs.js';
export { inPlainWords, speakPlainly } from './plain-words.js';
export * from './problems.js';
export * from './queue-rules.js';
export * from './queue-rules-document.js';
export * from './queue-rules-text.js';
export * from './generated/rpc.js';
export * from './times.js';
