import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';

/** What a server says of itself that decides whether tickets and jobs are safe in it. */
export interface RedisServerFacts {
  /** Such as 7.0.15. */
  readonly version: string;
  /** What it does when its memory is used up. */
  readonly policy: string;
  readonly hasAppendOnlyFile: boolean;
  /** Its clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** Asks every server that the connection knows. */
export async function redisServers(redis: RedisConnection): Promise<RedisServerFacts[]> {
  const nodes = redis instanceof Cluster ? redis.nodes('all') : [redis];
  return Promise.all(
    nodes.map(async (node) => {
      const [facts, [seconds, micros]] = await Promise.all([factsOf(node, 'all'), node.time()]);
      return {
        version: facts.get('valkey_version') ?? facts.get('redis_version') ?? 'unknown',
        policy: facts.get('maxmemory_policy') ?? 'unknown',
        hasAppendOnlyFile: facts.get('aof_enabled') === '1',
        now: Number(seconds) * 1_000 + Number(micros) / 1_000,
      };
    }),
  );
}

/** The fields of a section of INFO. */
export async function factsOf(node: Redis, section: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await node.info(section)).split('\r\n');
  return new Map(lines.map((line) => line.split(':')).map(([name = '', value = '']) => [name, value]));
}
