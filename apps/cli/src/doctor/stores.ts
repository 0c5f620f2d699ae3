import { addressOf } from '@muster/command-line/operator/database';
import { addressOfRun } from '@muster/command-line/operator/run-file';
import { checkMigrated, NotMigrated, roleFlaws, type Db } from '@muster/db';
import { redisServers, type RedisServerFacts } from '@muster/redis';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '../database/database.js';
import { withRedis } from '../player-data/stores.js';
import { clockFindings, found, messageOf, type Finding, type Patient } from './finding.js';

const patienceMs = 20_000;
const oldestPostgres = 14;

/** The database: reachable, of a known version, migrated, with the roles of the services, and in time. */
export async function databaseFindings({ dataDir, env }: Patient): Promise<Finding[]> {
  try {
    return await inTime(withDatabase('doctor', { dataDir }, env, serverAndSchema));
  } catch (error) {
    return found(
      true,
      `The database does not answer: ${messageOf(error)}.`,
      'Without the database no match is formed, placed or rated.',
      'Start PostgreSQL, or correct DATABASE_URL (and DATABASE_CA) of the services and of this command.',
    );
  }
}

async function serverAndSchema(db: Db): Promise<Finding[]> {
  const [server] = await db.$sql.$queryRaw<{ major: number; now: number }[]>`
    SELECT current_setting('server_version_num')::int / 10000 AS major, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`;
  const { major = 0, now = Date.now() } = server ?? {};
  return [
    ...found(
      major < oldestPostgres,
      `The database is PostgreSQL ${major}, older than ${oldestPostgres}.`,
      'Statements of this release need newer features.',
      'Upgrade PostgreSQL.',
    ),
    ...clockFindings('Postgres', now),
    ...(await schemaFindings(db)),
  ];
}

async function schemaFindings(db: Db): Promise<Finding[]> {
  try {
    await checkMigrated(db);
  } catch (error) {
    // An empty database has no table of migrations.
    const lacks = error instanceof NotMigrated ? error.missing.join(', ') : 'all migrations';
    return found(
      true,
      `The database lacks ${lacks}.`,
      'Services of this release do not start before.',
      'Run "muster migrate" with DATABASE_URL of the owner of the tables.',
    );
  }
  const flaws = await roleFlaws(db);
  return flaws.flatMap((flaw) =>
    found(
      true,
      `A service has not its rights in the database: ${flaw}.`,
      'The service does not start, or works with all rights of its user.',
      'Follow the sentence above; "Roles" in docs/operations.md has the statements.',
    ),
  );
}

/** Redis: reachable, of a known version, with an append-only file, evicting nothing, and in time. */
export async function redisFindings({ dataDir, env }: Patient): Promise<Finding[]> {
  const url = addressOf(env, 'REDIS_URL') ?? (await addressOfRun(dataDir, 'redisUrl'));
  try {
    return (await inTime(withRedis({ dataDir }, env, redisServers))).flatMap(serverFindings);
  } catch (error) {
    return found(
      true,
      `Redis${url === undefined ? '' : ` at ${url.replace(/\/\/.*@/, '//')}`} does not answer: ${messageOf(error)}.`,
      'Without it nobody can queue.',
      'Start Redis, or correct REDIS_URL of the services and of this command.',
    );
  }
}

function serverFindings({ version, policy, hasAppendOnlyFile, now }: RedisServerFacts): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [
    ...found(
      policy !== 'noeviction',
      `Redis deletes keys when its memory is used up: maxmemory-policy is ${policy}.`,
      'Tickets and jobs would be lost.',
      'Set "maxmemory-policy noeviction" in redis.conf, and now by CONFIG SET.',
    ),
    ...found(
      !hasAppendOnlyFile,
      'Redis has no append-only file: appendonly is no.',
      'A restart of Redis loses the tickets and jobs since its last snapshot.',
      'Set "appendonly yes" in redis.conf, and now by CONFIG SET.',
    ),
    ...found(
      major < 6 || (major === 6 && minor < 2),
      `Redis is ${version}, older than 6.2.`,
      'Queues of jobs need 6.2.',
      'Upgrade Redis.',
    ),
    ...clockFindings('Redis', now),
  ];
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = sleep(patienceMs, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${patienceMs / 1000} s`);
  });
  return Promise.race([work, late]);
}
