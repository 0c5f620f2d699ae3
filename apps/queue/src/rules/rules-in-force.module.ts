import { readStoredRules } from '@muster/contracts';
import type { Db } from '@muster/db';
import { DB, LOG, SharedClock, Starting, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { FollowRules } from './follow-rules.js';
import { Queues } from './queues.js';
import { PostgresRulesStore } from './rules.store.js';

/**
 * The rules in force, which every feature reads. They are read before the service listens: without them there is no queue.
 */
@Module({
  providers: [
    Queues,
    {
      provide: PostgresRulesStore,
      inject: [DB],
      useFactory: (db: Db) => new PostgresRulesStore(db, readStoredRules),
    },
    {
      provide: FollowRules,
      inject: [Queues, PostgresRulesStore, SharedClock, Starting, QUEUE_SETTINGS, LOG],
      useFactory: openRules,
    },
  ],
  exports: [Queues, PostgresRulesStore, FollowRules],
})
export class RulesInForceModule {}

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
