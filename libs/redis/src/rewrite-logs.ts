import { Cluster, type Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './connect.js';
import { factsOf } from './server-facts.js';

/** A rewrite that takes longer goes on by itself, in milliseconds. */
const rewrittenWithinMs = 60_000;
const lookEveryMs = 100;

/** What became of the append-only files. */
export interface RewrittenLogs {
  /** Whether none of them holds what keys held before; false also if a server does not permit the rewrite. */
  readonly areRewritten: boolean;
  /** Why not, a sentence for each server. */
  readonly flaws: readonly string[];
}

/**
 * Rewrites the append-only files of all servers that the connection knows: they keep every value that a key ever had.
 * Replicas behind a Sentinel are not among them.
 */
export async function rewriteLogs(redis: RedisConnection): Promise<RewrittenLogs> {
  const nodes = redis instanceof Cluster ? redis.nodes('all') : [redis];
  const flaws = (await Promise.all(nodes.map(rewriteLog))).filter((flaw) => flaw !== null);
  return { areRewritten: flaws.length === 0, flaws };
}

/** @returns why the file of a server was not rewritten, or null */
async function rewriteLog(node: Redis): Promise<string | null> {
  const until = performance.now() + rewrittenWithinMs;
  try {
    if ((await persistence(node)).get('aof_enabled') === '0') return null;
    // One that runs already began before the last changes.
    if (!(await untilIdle(node, until))) return 'Another rewrite of the append-only file does not end.';
    await node.call('BGREWRITEAOF');
    if (!(await untilIdle(node, until))) return 'The append-only file is still being rewritten.';
    const status = (await persistence(node)).get('aof_last_bgrewrite_status');
    return status === 'ok' ? null : 'Redis could not rewrite its append-only file.';
  } catch (error) {
    return `Redis refuses to rewrite its append-only file: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function untilIdle(node: Redis, until: number): Promise<boolean> {
  for (;;) {
    const facts = await persistence(node);
    const isBusy = ['aof_rewrite_in_progress', 'aof_rewrite_scheduled'].some(
      (name) => facts.get(name) === '1',
    );
    if (!isBusy) return true;
    if (performance.now() > until) return false;
    await sleep(lookEveryMs);
  }
}

const persistence = (node: Redis): Promise<ReadonlyMap<string, string>> => factsOf(node, 'persistence');
