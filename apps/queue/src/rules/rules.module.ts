import { construct, DB, LOG, SharedClock, Starting, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RatingClient } from '../services/rating.client.js';
import { ServicesModule } from '../services/services.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { FollowRules } from './follow-rules.js';
import { PutRules } from './put-rules.js';
import { QueuesController } from './queues.controller.js';
import { Queues } from './queues.js';
import { RulesLoop } from './rules.loops.js';
import { PostgresRulesStore } from './rules.store.js';

/**
 * The rules in force, which every feature reads; operators change them, and this replica follows those that others put in
 * force. They are read before the service listens: without them there is no queue.
 */
@Module({
  imports: [ServicesModule],
  controllers: [QueuesController],
  providers: [
    Queues,
    RulesLoop,
    construct(PostgresRulesStore, [DB]),
    {
      provide: FollowRules,
      inject: [Queues, PostgresRulesStore, SharedClock, Starting, QUEUE_SETTINGS, LOG],
      useFactory: openRules,
    },
    construct(PutRules, [Queues, FollowRules, PostgresRulesStore, RatingClient, SharedClock]),
  ],
  exports: [Queues, FollowRules],
})
export class RulesModule {}

/** Creates missing queues, and reads all of them. */
async function openRules(
  queues: Queues,
  store: PostgresRulesStore,
  clock: SharedClock,
  starting: Starting,
  { QUEUES_FILE: file, seeds }: QueueSettings,
  log: Log,
): Promise<FollowRules> {
  const follow = new FollowRules(queues, store, clock);
  const otherwise = await starting.until('PostgreSQL', () => follow.open(seeds.rules, seeds.why));
  if (file !== undefined && otherwise.length > 0)
    log.warn(
      { file, queues: otherwise },
      'QUEUES_FILE differs from the rules in force, which stay: it creates missing queues and changes none; put it in force with "muster rules apply"',
    );
  queues.onChange((name) =>
    log.info({ queue: name, version: queues.versionOf(name) }, 'new rules are in force'),
  );
  return follow;
}
