import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';

/** Reads the names of keys on all masters, page by page, while others work. A key may occur twice. @param pattern of SCAN */
export async function* scanKeys(
  redis: RedisConnection,
  pattern: string,
  pageSize: number,
): AsyncGenerator<string[]> {
  for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', pageSize);
      cursor = next;
      for (let i = 0; i < keys.length; i += pageSize) yield keys.slice(i, i + pageSize);
    } while (cursor !== '0');
  }
}
