import { pseudonymOf } from '@muster/domain';
import { rewriteLogs, type RewrittenLogs } from '@muster/redis';
import { randomBytes } from 'node:crypto';
import { withDatabase } from '../database/database.js';
import { Progress } from '@muster/command-line/terminal/progress';
import { counted, indented, right, tableLines } from '@muster/command-line/terminal/table';
import { erasePlayer, ErasureRefused } from './erase.store.js';
import { RedisPlayerKeys, type RenamedInKeys } from './keys.store.js';
import { isWord } from './words.store.js';
import type { Rename } from './rename.js';
import { withRedis, type DataOptions } from './stores.js';

/** Options of `muster players erase`. */
export interface EraseOptions extends DataOptions {
  readonly reason: string;
  readonly realm: string;
}

/** What was erased from the stores, whose logs may still hold it. */
export interface ErasedFromStores {
  readonly alias: string;
  /** Changed rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly redis: RenamedInKeys;
  /** Whether texts in Redis were rewritten: an id that is also a word of the system stays in them until they expire. */
  readonly rewrites: boolean;
}

/** What was erased. */
export interface Erased extends ErasedFromStores {
  readonly logs: RewrittenLogs;
}

/**
 * Erases a player from both stores, and then from the append-only files of Redis.
 *
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message
 */
export async function erase(
  playerId: string,
  options: EraseOptions,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<Erased> {
  const erased = await eraseFromStores(playerId, options, env, now);
  return { ...erased, logs: await withRedis(options, env, rewriteLogs) };
}

/**
 * Erases a player from both stores: first from Postgres, in one transaction, then from Redis. Repeating it is safe: a second run
 * finds nothing more, or what was left when the first was interrupted.
 *
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message
 */
export async function eraseFromStores(
  playerId: string,
  options: EraseOptions,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<ErasedFromStores> {
  const rename: Rename = { id: playerId, alias: pseudonymOf(randomBytes(9).toString('hex')) };
  const progress = new Progress(process.stderr, 0, Date.now, 'keys');
  try {
    return await withRedis(options, env, async (redis) => {
      const keys = new RedisPlayerKeys(redis, options.realm);
      // Who is being erased cannot be queued.
      if (!(await keys.hold(playerId)))
        throw new ErasureRefused(`${playerId} is queued or in a match; erase the player afterwards.`);
      try {
        const { rows, rewrites } = await withDatabase('player-data', options, env, async (db) => ({
          rewrites: !(await isWord(db, playerId)),
          rows: await erasePlayer(db, rename, { by: options.by, reason: options.reason, now }),
        }));
        const changed = await keys.rename(rename, rewrites, (read) => progress.at(read, read));
        return { alias: rename.alias, rows, redis: changed, rewrites };
      } finally {
        await keys.letGo(playerId);
      }
    });
  } finally {
    progress.clear();
  }
}

/** What a user is told of an erasure. */
export function erasedText(playerId: string, { alias, rows, redis, rewrites, logs }: Erased): string[] {
  const changed = Object.entries(rows).filter(([, count]) => count > 0);
  return [
    changed.length === 0 && redis.changed + redis.deleted === 0
      ? `Nothing was stored of ${playerId}.`
      : `${playerId} is erased; where others need the row, the id is now ${alias}.`,
    ...indented(
      tableLines(
        ['table', ...right('rows')],
        changed.map(([table, count]) => [table, count.toLocaleString('en')]),
      ),
    ),
    `Redis: ${counted(redis.keys, 'key')} read, ${counted(redis.changed, 'value')} rewritten, ${counted(redis.deleted, 'key or entry', 'keys or entries')} deleted.`,
    ...(rewrites
      ? []
      : [
          `${playerId} is also a word of Muster, such as a queue or a state: jobs and proposals in Redis keep it until they expire, an hour at most after they end.`,
        ]),
    ...logsText(logs),
    'Logs and backups keep the id until they expire: see docs/privacy.md.',
  ];
}

/** What a user is told of the append-only files of Redis. */
export function logsText({ areRewritten, flaws }: RewrittenLogs): string[] {
  if (areRewritten) return ['The append-only files of Redis are rewritten without it, or Redis has none.'];
  return [
    ...new Set(flaws),
    'An append-only file keeps the id until it is rewritten: run BGREWRITEAOF on every server of Redis as its administrator.',
  ];
}
