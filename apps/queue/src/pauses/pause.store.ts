import type { Db } from '@muster/db';
import { oneOf, pausedWaits, type Pause } from '@muster/domain';

interface Row {
  scope: string;
  message: string;
  waiting: string;
  starts_at: Date;
  until: Date | null;
}

const ofRealm = 'realm';
const ofQueue = 'queue:';
const scopeOf = (queue: string | null): string => (queue === null ? ofRealm : `${ofQueue}${queue}`);

/** Pauses in Postgres, so that they outlast a restart and a Redis that forgets: at most one of the realm and of each queue. */
export class PostgresPauses {
  constructor(private readonly db: Db) {}

  async all(): Promise<Pause[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`SELECT * FROM pause ORDER BY scope`;
    return rows.map(({ scope, message, waiting, starts_at, until }) => ({
      queue: scope === ofRealm ? null : scope.slice(ofQueue.length),
      message,
      waiting: oneOf(pausedWaits, waiting),
      startsAt: starts_at.getTime(),
      until: until?.getTime() ?? null,
    }));
  }

  /** Replaces the pause of a queue or of the realm. */
  async put({ queue, message, waiting, startsAt, until }: Pause): Promise<void> {
    const ends = until === null ? null : new Date(until);
    await this.db.$sql.$executeRaw`
      INSERT INTO pause (scope, message, waiting, starts_at, until)
      VALUES (${scopeOf(queue)}, ${message}, ${waiting}, ${new Date(startsAt)}, ${ends})
      ON CONFLICT (scope) DO UPDATE SET message = EXCLUDED.message, waiting = EXCLUDED.waiting,
        starts_at = EXCLUDED.starts_at, until = EXCLUDED.until`;
  }

  /** @returns whether there was one */
  async end(queue: string | null): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`DELETE FROM pause WHERE scope = ${scopeOf(queue)}`;
    return count > 0;
  }
}
