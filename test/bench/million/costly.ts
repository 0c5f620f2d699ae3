import type { Redis } from 'ioredis';
import type { Costly } from './report.js';
import type { Db } from '../../support/prisma.js';

const statements = 8;
const commands = 6;
const longest = 120;

/** The statements of Postgres and the commands of Redis that took most time since the start. */
export async function costlyOf(db: Db, redis: Redis): Promise<Costly[]> {
  const rows = await db.$queryRawUnsafe<Costly[]>(`
    SELECT query AS what, calls::float8 AS calls, total_exec_time AS "totalMs" FROM pg_stat_statements
    WHERE query !~ 'pg_stat_statements' ORDER BY total_exec_time DESC LIMIT ${statements}`);
  const info = await redis.info('commandstats');
  const calls = [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm)].map(
    ([, name = '', count, usec]): Costly => ({
      what: `Redis ${name}`,
      calls: Number(count),
      totalMs: Number(usec) / 1_000,
    }),
  );
  return [...rows, ...calls.toSorted((a, b) => b.totalMs - a.totalMs).slice(0, commands)].map((each) => ({
    ...each,
    what: each.what.replaceAll(/\s+/g, ' ').replaceAll('|', '¦').trim().slice(0, longest),
  }));
}
