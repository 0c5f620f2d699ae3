export { catalogue } from '@muster/domain';
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
  type QueueRules,
} from '@muster/domain/schemas';
export * from './call-kinds.js';
export * from './cors.js';
export * from './endpoints.js';
export * from './http/queue/attributes.js';
export * from './http/queue/avoided.js';
export * from './http/allocator/backfills.js';
export * from './http/assignment/balance.js';
export * from './http/queue/bans.js';
export * from './http/queue/behaviour.js';
export * from './http/rating/other-result.js';
export * from './http/rating/boosters.js';
export * from './http/headers.js';
export * from './http/jobs.js';
export * from './http/logins.js';
export * from './http/operators.js';
export * from './http/assignment/live-sessions.js';
export * from './http/assignment/matches.js';
export * from './http/queue/parties.js';
export * from './http/queue/pauses.js';
export * from './http/queue/penalties.js';
export * from './http/queue/player-requests.js';
export * from './http/rating/pools.js';
export * from './http/rating/ratings.js';
export * from './http/rating/results.js';
export * from './http/rating/integrity.js';
export * from './http/rating/leaderboards.js';
export * from './http/rating/placement.js';
export * from './http/rating/seasons.js';
export * from './http/queue/record.js';
export * from './http/rating/rounds.js';
export * from './http/allocator/capacity.js';
export * from './http/allocator/fleet-keys.js';
export * from './http/allocator/servers.js';
export * from './http/assignment/teams.js';
export * from './http/assignment/webhooks.js';
export * from './http/events/catalogue.js';
export * from './signatures/message-signature.js';
export * from './http/queue/statistics.js';
export * from './http/queue/tickets.js';
export { issuesOf } from './http/rating/took-part.js';
export { DisplayName } from './display-name.js';
export * from './job-queues.js';
export * from './jobs.js';
export * from './match-jobs.js';
export * from './messages/index.js';
export * from './metrics/figures.js';
export * from './openapi.js';
export * from './operator-roles.js';
export * from './outbox-jobs.js';
export { inPlainWords, speakPlainly } from './plain-words.js';
export * from './problems.js';
export * from './http/queue/queue-rules.js';
export * from './queue-rules/differences.js';
export * from './queue-rules/document.js';
export * from './queue-rules/text.js';
export * from './queue-rules/yaml.js';
export * from './generated/rpc.js';
export * from './rpc/calls.js';
export * from './times.js';
export * from './traces/traces.js';
