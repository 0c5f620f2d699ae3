import { transact, type Db } from '@muster/db';
import { rewriteLogs, type RewrittenLogs } from '@muster/redis';
import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteCommand } from '../database/audit.store.js';
import { withDatabase } from '../database/database.js';
import { indented, tableLines } from '@muster/command-line/terminal/table';
import { eraseFromStores, logsText, type EraseOptions } from './erase.js';
import { exportPlayer } from './export.js';
import { exportDirectory } from './export-directory.js';
import { withRedis, type DataOptions } from './stores.js';

/** Requests read at once. */
const pageSize = 500;
const hourMs = 3_600_000;

type Kind = 'export' | 'erasure';

/** A player's request that waits. */
export interface WaitingRequest {
  readonly playerId: string;
  readonly kind: Kind;
  /** ISO 8601. */
  readonly requestedAt: string;
}

/** What came of the requests that were due. */
export interface Carried {
  readonly done: readonly string[];
  /** Why, by player; the request waits for the next run. */
  readonly failed: readonly { readonly playerId: string; readonly why: string }[];
  /** Of erasures: the append-only files of Redis, which are rewritten once at the end. */
  readonly logs?: RewrittenLogs;
}

/** The requests of players that wait, oldest first. @throws Error with a user-facing message */
export function waitingRequests(options: DataOptions, env: NodeJS.ProcessEnv): Promise<WaitingRequest[]> {
  return withDatabase('player-data', options, env, (db) => waiting(db, new Date(8.64e15)));
}

/**
 * Writes what is stored of each player who asked for it to a file of a directory, and says in the request that it is done.
 *
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message
 */
export async function exportRequested(
  directory: string,
  options: DataOptions & { readonly realm: string },
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<Carried> {
  await exportDirectory(directory);
  return carryOut(await requested(options, env, 'export', now), async (playerId) => {
    const data = await exportPlayer(playerId, options, env, now);
    const file = join(directory, fileOf(playerId));
    await writeFile(`${file}.part`, `${JSON.stringify(data, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.part`, file);
    await withDatabase('player-data', options, env, (db) =>
      transact(db, async (tx) => {
        await tx.$executeRaw`
          UPDATE player_request SET done_at = ${new Date(now)} WHERE player_id = ${playerId} AND kind = 'export' AND done_at IS NULL`;
        await noteCommand(tx, { call: 'exportPlayer', target: playerId, reason: null, who: options.by });
      }),
    );
  });
}

/**
 * Erases each player who asked for it. One who cannot be erased now, such as one in a match, leaves the others alone.
 *
 * @param after how long a request waits before it is carried out, in hours: until then the player can withdraw it
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message
 */
export async function eraseRequested(
  after: number,
  options: EraseOptions,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<Carried> {
  const due = await requested(options, env, 'erasure', now - after * hourMs);
  const carried = await carryOut(due, async (playerId) => {
    await eraseFromStores(playerId, options, env, now);
  });
  // Also after a failure: an erasure may have come to an end in Redis and not elsewhere.
  return due.length === 0 ? carried : { ...carried, logs: await withRedis(options, env, rewriteLogs) };
}

/** The name of a player's file. Some file systems take two ids for one name that differ in capitals only. */
export function fileOf(playerId: string): string {
  return `${playerId}-${createHash('sha256').update(playerId).digest('hex').slice(0, 8)}.json`;
}

/** What a user is told of the requests that were due. */
export function carriedText(what: string, { done, failed, logs }: Carried): string[] {
  return [
    ...(done.length + failed.length === 0 ? ['No request waits.'] : []),
    ...done.map((playerId) => `${playerId} is ${what}.`),
    ...failed.map(({ why }) => `Not ${what}: ${why}`),
    ...(logs ? logsText(logs) : []),
  ];
}

/** A table of requests for people. */
export function requestsText(requests: readonly WaitingRequest[]): string[] {
  if (requests.length === 0) return ['No request waits.'];
  return indented(
    tableLines(
      ['player', 'asks for', 'since'],
      requests.map(({ playerId, kind, requestedAt }) => [playerId, kind, requestedAt]),
    ),
  );
}

async function carryOut(
  playerIds: readonly string[],
  carry: (playerId: string) => Promise<void>,
): Promise<Carried> {
  const done: string[] = [];
  const failed: { playerId: string; why: string }[] = [];
  for (const playerId of playerIds)
    try {
      await carry(playerId);
      done.push(playerId);
    } catch (error) {
      failed.push({ playerId, why: error instanceof Error ? error.message : String(error) });
    }
  return { done, failed };
}

async function requested(
  options: DataOptions,
  env: NodeJS.ProcessEnv,
  kind: Kind,
  before: number,
): Promise<string[]> {
  const all = await withDatabase('player-data', options, env, (db) => waiting(db, new Date(before), kind));
  return all.map(({ playerId }) => playerId);
}

async function waiting(db: Db, before: Date, kind: Kind | null = null): Promise<WaitingRequest[]> {
  const rows = await db.$sql.$queryRaw<{ playerId: string; kind: Kind; requestedAt: Date }[]>`
    SELECT player_id AS "playerId", kind, requested_at AS "requestedAt" FROM player_request
    WHERE done_at IS NULL AND requested_at <= ${before} AND (${kind}::text IS NULL OR kind = ${kind}::text)
    ORDER BY requested_at, player_id LIMIT ${pageSize}`;
  return rows.map((row) => ({ ...row, requestedAt: row.requestedAt.toISOString() }));
}
