import type { Db } from '@muster/db';

/** Which pools the rules in force of all queues use. */
export class PostgresQueuedPools {
  constructor(private readonly db: Db) {}

  async isQueued(pool: string): Promise<boolean> {
    const [row] = await this.db.$sql.$queryRaw<{ queued: boolean }[]>`
      SELECT EXISTS (
        SELECT 1 FROM queue_rules AS newest WHERE rules->>'pool' = ${pool}
          AND NOT EXISTS (SELECT 1 FROM queue_rules AS later WHERE later.queue = newest.queue AND later.version > newest.version)
      ) AS queued`;
    return row?.queued ?? false;
  }
}
