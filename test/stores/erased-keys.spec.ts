import { connectRedis, realmRoot } from '@muster/redis';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisPlayerKeys } from '../../apps/cli/src/player-data/keys.store.js';
import { isWord } from '../../apps/cli/src/player-data/words.store.js';
import { UnwatchedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import type { Ticket } from '@muster/domain';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { RatingStores } from '../support/rating-stores.js';

const data = databaseForEach();
const root = realmRoot('erased-keys');
let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;
let store: UnwatchedTicketStore;

beforeAll(async () => {
  server = await startTestRedis({ own: true });
  redis = connectRedis(server.url, { name: 'erased-keys', onError: () => undefined });
  store = new UnwatchedTicketStore(redis, root);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

const ticketOf = (ticketId: string, playerIds: readonly string[], queue = '5v5'): Ticket => ({
  ticketId,
  queue,
  build: 'dev',
  latencyMs: { local: 20 },
  enqueuedAt: noon,
  expiresAt: noon + 600_000,
  fingerprint: 'f'.repeat(32),
  players: playerIds.map((playerId) => ({ playerId, mu: 25.123456789, sigma: 8.3 })),
});

/** Every key with its value, the fields of a hash in one text. */
async function dump(): Promise<string[]> {
  const lines: string[] = [];
  for (const key of await redis.keys('*')) {
    const kind = await redis.type(key);
    if (kind === 'hash')
      lines.push(
        `${key} ${Object.entries(await redis.hgetall(key))
          .toSorted()
          .flat()
          .join('')}`,
      );
    else if (kind === 'string') lines.push(`${key} ${await redis.get(key)}`);
    else if (kind === 'list') lines.push(`${key} ${(await redis.lrange(key, 0, -1)).join(' ')}`);
    else if (kind === 'set') lines.push(`${key} ${(await redis.smembers(key)).join(' ')}`);
    else if (kind === 'zset') lines.push(`${key} ${(await redis.zrange(key, '0', '-1')).join(' ')}`);
  }
  return lines;
}

async function erased(id: string, rewrites = true): Promise<void> {
  // Entries of streams are deleted after a pause, which `erasure.story.ts` awaits.
  await redis.del(`${root}:events`, `${root}:changes:5v5`, `${root}:changes:duel`);
  await new RedisPlayerKeys(redis, 'erased-keys').rename({ id, alias: 'erased-1' }, rewrites);
}

describe('an erasure from Redis', () => {
  it('finds the player in tickets whose text is cut within the id', async () => {
    const id = 'zoe-to-be-erased';
    // Ids of every length before it, so that each of its bytes is once at a border of pieces.
    const mates = range(40).map((length) => 'm'.repeat(length + 1));
    for (const [i, mate] of mates.entries()) {
      await store.enqueue(ticketOf(`tkt_${i}`, [mate, id]), noon);
      await store.cancel(`tkt_${i}`, 'gone', noon);
      const avoid = [mate, id].map((playerId) => ({ playerId, scope: 'match' as const }));
      await store.enqueue({ ...ticketOf(`tkt_other${i}`, [`bob${i}`]), avoid }, noon);
    }
    await erased(id);
    expect((await dump()).filter((line) => line.includes(id))).toEqual([]);
    for (const [i, mate] of mates.entries()) {
      expect(await store.find(`tkt_${i}`)).toBeNull();
      expect((await store.find(`tkt_other${i}`))?.avoid).toEqual([
        { playerId: mate, scope: 'match' },
        { playerId: 'erased-1', scope: 'match' },
      ]);
    }
  });

  it('leaves what belongs to a queue, or to a player whose id ends alike', async () => {
    await store.enqueue(ticketOf('tkt_1', ['steam:duel'], 'duel'), noon);
    await redis.set(`${root}:blame:duel`, 'mat_1');
    await redis.set(`${root}:blame:steam:duel`, 'mat_2');
    const before = (await dump()).filter((line) => !line.includes(':blame:duel '));
    await erased('duel', false);
    expect((await dump()).toSorted()).toEqual(before.toSorted());
    expect(await store.find('tkt_1')).toMatchObject({ queue: 'duel' });
  });

  it('deletes the entries of streams that name the player, not those that name another', async () => {
    const entries = ['"7"', '"70"', 'It was 7.', 'steam:7', '["7","8"]', '17:7', '"8"'];
    for (const text of entries) await redis.xadd(`${root}:news`, '*', 'text', text);
    await erased('7');
    const left = await redis.xrange(`${root}:news`, '-', '+');
    expect(left.map(([, fields]) => fields[1])).toEqual(['"70"', 'steam:7', '17:7', '"8"']);
  });

  it('takes the player off leaderboards', async () => {
    const board = `${root}:board:ladder:brd_1`;
    await redis.zadd(`${board}:all`, '1', 'ann', '2', 'ben');
    await redis.hset(`${board}:region`, 'ann', 'eu', 'ben', 'us');
    await redis.zadd(`${board}:in:eu`, '1', 'ann');
    await redis.hset(board, 'through', 'ann', 'safe', '7');
    await erased('ann', false);
    expect(await dump()).toEqual(expect.arrayContaining([`${board}:all ben`, `${board}:region benus`]));
    expect(await redis.keys(`${board}:in:eu`)).toEqual([]);
    expect(await redis.hgetall(board)).toEqual({ through: '', safe: '7' });
  });
});

describe('an id that is a word of the system', () => {
  it('is found in names of fields, states, pools and rules', async () => {
    const { db } = data();
    await new RatingStores(db).pools.create(aPool('ladder'));
    for (const word of ['ladder', 'waiting', 'playerId', 'queue', 'tickets', 'place-match', 'attemptsMade'])
      expect([word, await isWord(db, word)]).toEqual([word, true]);
    for (const id of ['alice', 'zoe-to-be-erased', 'steam:76561198', 'player-7'])
      expect([id, await isWord(db, id)]).toEqual([id, false]);
  });
});
