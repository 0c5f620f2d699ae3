import { jobQueues, MatchJob, noMeter, rpc } from '@muster/contracts';
import { RatingUnavailable, UnknownPool, Unsolvable } from '@muster/domain';
import {
  createLog,
  InProcessWire,
  JobSender,
  LOG,
  METER,
  RpcClient,
  RpcMany,
  RpcStatusFilter,
  type RpcCaller,
  type RpcWire,
  workOn,
} from '@muster/platform';
import { startTestRedis } from '@muster/testing';
import type { Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { afterEach, describe, expect, it } from 'vitest';
import { RatingClient } from '../../apps/assignment/src/ratings/rating.client.js';
import { RatingClient as QueueRatingClient } from '../../apps/queue/src/services/rating.client.js';
import { PostgresRatingHistory } from '../../apps/rating/src/ratings/history.store.js';
import { RatingOverrides } from '../../apps/rating/src/ratings/rating-overrides.js';
import { RatingStores } from '../support/rating-stores.js';
import { RatingsRpc } from '../../apps/rating/src/ratings/ratings.rpc.js';
import { ReadRatings } from '../../apps/rating/src/ratings/read-ratings.js';
import { Predict } from '../../apps/rating/src/predictions/predict.js';
import { PredictionsRpc } from '../../apps/rating/src/predictions/predictions.rpc.js';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { until } from '../support/gate.js';
import { testWire } from '../support/grpc-wire.js';
import { startRatingPeer, type RatingPeer } from '../support/rating-peer.js';
import { databaseForEach } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { createDb } from '../support/prisma.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function peer(options?: Parameters<typeof startRatingPeer>[0]): Promise<RatingPeer> {
  const started = await startRatingPeer(options);
  ends.push(() => started.stop());
  return started;
}

function readerOf({ target }: RatingPeer, clock = { now: () => 0 }): QueueRatingClient {
  const reader = new QueueRatingClient(new RpcClient(rpc.rating, target), clock);
  ends.push(() => reader.close());
  return reader;
}

function clientOf({ target }: RatingPeer): RatingClient {
  const client = new RatingClient(new RpcClient(rpc.rating, target));
  ends.push(() => client.close());
  return client;
}

const methodsOf = ({ calls }: RatingPeer) => calls.map(({ method }) => method);
const mus = (ratings: readonly { mu: number }[]) => ratings.map(({ mu }) => mu);
const teams = (...names: string[]) => names.map((name) => ({ playerIds: [name], parties: [] }));

const silent = createLog('test', 'silent');

/** Serves the calls of rating with parts of the service. @returns a client */
async function servedBy(wire: RpcWire, providers: Provider[]): Promise<RpcCaller> {
  const free = await startRatingPeer();
  free.stop();
  const port = Number(free.target.split(':').at(-1));
  const module = {
    module: class Peer {},
    controllers: [RatingsRpc, PredictionsRpc],
    providers: [...providers, RpcStatusFilter, { provide: METER, useValue: noMeter }],
  };
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    ...wire.serve(rpc.rating, '127.0.0.1', port),
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  ends.push(() => app.close());
  const client = wire.connect(rpc.rating, free.target);
  ends.push(() => client.close());
  return client;
}

describe('the queue’s questions for ratings', () => {
  it('of tickets that arrive together are one call, with one question for each pool', async () => {
    const rating = await peer();
    const reader = readerOf(rating);
    const tickets = ['a', 'bb', 'ccc'].map((id) => reader.ratingsOf('duel', [id, 'shared']));
    const found = await Promise.all([...tickets, reader.ratingsOf('squad', ['a', 'bb'])]);
    expect(found.map(mus)).toEqual([
      [1, 6],
      [2, 6],
      [3, 6],
      [1, 2],
    ]);
    expect(found[0]?.[0]?.start).toEqual({ mu: 25, sigma: 8 });
    expect(rating.calls).toEqual([
      {
        method: 'getManyRatings',
        request: {
          questions: [
            { pool: 'duel', playerIds: ['a', 'shared', 'bb', 'ccc'], aspects: null },
            { pool: 'squad', playerIds: ['a', 'bb'], aspects: null },
          ],
        },
      },
    ]);
  });

  it('share the next call when they arrive while one is under way', async () => {
    let answer = (): void => undefined;
    const rating = await peer({ until: new Promise((resolve) => (answer = resolve)) });
    const reader = readerOf(rating);
    const first = reader.ratingsOf('duel', ['a']);
    await expect.poll(() => rating.calls.length).toBe(1);
    const later = ['bb', 'ccc', 'dddd'].map((id) => reader.ratingsOf('duel', [id]));
    answer();
    expect((await Promise.all([first, ...later])).flatMap(mus)).toEqual([1, 2, 3, 4]);
    expect(methodsOf(rating)).toEqual(['getRatings', 'getRatings']);
  });

  it('about an unknown pool leave the others answered', async () => {
    const reader = readerOf(await peer());
    const [lost, found] = await Promise.allSettled([
      reader.ratingsOf('none', ['a']),
      reader.ratingsOf('duel', ['a']),
    ]);
    expect(lost).toMatchObject({ status: 'rejected', reason: expect.any(UnknownPool) });
    expect(found).toMatchObject({ status: 'fulfilled' });
  });

  it('are asked one by one of a peer of the previous release', async () => {
    const rating = await peer({ isOld: true });
    const reader = readerOf(rating);
    const both = () => Promise.all([reader.ratingsOf('duel', ['a']), reader.ratingsOf('squad', ['bb'])]);
    expect((await both()).flatMap(mus)).toEqual([1, 2]);
    expect((await both()).flatMap(mus)).toEqual([1, 2]);
    expect(methodsOf(rating)).toEqual(Array.from({ length: 4 }, () => 'getRatings'));
  });

  it('get the last known rating for a minute when the service is lost', async () => {
    const clock = { at: 0, now: () => clock.at };
    const rating = await peer();
    const reader = readerOf(rating, clock);
    await reader.ratingsOf('duel', ['a']);
    rating.stop();
    const ask = (id: string) => reader.ratingsOf('duel', [id]);
    const [known, unknown] = await Promise.allSettled([ask('a'), ask('bb')]);
    expect(known).toMatchObject({ status: 'fulfilled', value: [{ mu: 1 }] });
    expect(unknown).toMatchObject({ status: 'rejected', reason: expect.any(RatingUnavailable) });
    clock.at = 60_001;
    await expect(ask('a')).rejects.toBeInstanceOf(RatingUnavailable);
  });
});

describe('assignment’s questions', () => {
  it('of matches that are formed in one turn are one call for ratings and one for chances', async () => {
    const rating = await peer();
    const client = clientOf(rating);
    const read = ['a', 'bb', 'ccc'].map((id) => client.read('duel', [id]));
    expect((await Promise.all(read)).flatMap(mus)).toEqual([1, 2, 3]);
    const predict = [1, 2, 3].map(() => client.predict('duel', teams('a', 'bb')));
    expect(await Promise.all(predict)).toEqual([1, 2, 3].map(() => [0.5, 0.5]));
    expect(methodsOf(rating)).toEqual(['getManyRatings', 'predictMany']);
  });

  it('leave each other answered when one fails', async () => {
    const client = clientOf(await peer());
    const [bad, good] = await Promise.allSettled([
      client.predict('duel', teams('a', 'bad')),
      client.predict('duel', teams('a', 'b')),
    ]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 3, message: 'A bad team.' } });
    expect(good).toMatchObject({ status: 'fulfilled', value: [0.5, 0.5] });
    const [none, some] = await Promise.allSettled([client.read('none', ['a']), client.read('duel', ['a'])]);
    expect(none).toMatchObject({ status: 'rejected', reason: expect.any(UnknownPool) });
    expect(some).toMatchObject({ status: 'fulfilled' });
  });

  it('are asked one by one of a peer of the previous release', async () => {
    const rating = await peer({ isOld: true });
    const client = clientOf(rating);
    const predict = (name: string) => client.predict('duel', teams('a', name));
    const [bad, good] = await Promise.allSettled([predict('bad'), predict('b')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 3 } });
    expect(good).toMatchObject({ status: 'fulfilled', value: [0.5, 0.5] });
    expect(methodsOf(rating)).toEqual(['predict', 'predict']);
  });
});

describe('the rating service', () => {
  it('answers many questions in order; one that fails has its status, and an unexpected error is logged', async () => {
    const logged: unknown[] = [];
    const standings = {
      of: async (pool: string, playerIds: readonly string[]) => {
        if (pool === 'none') throw new UnknownPool('There is no pool none.', { pool });
        if (pool === 'broken') throw new Error('a bug');
        const ratings = playerIds.map((playerId) => ({ playerId, mu: 1, sigma: 2, matches: 3 }));
        return { ratings, start: { mu: 25, sigma: 8 } };
      },
    };
    const predict = {
      run: async (_: string, { parties }: { parties: number[][] }) => {
        if (parties.length === 1) throw new Unsolvable('One team is no match.');
        const chances = parties.map(() => 1 / parties.length);
        return { prediction: { chances, draw: 0, version: 1 }, isShortHanded: false };
      },
    };
    const client = await servedBy(testWire(), [
      { provide: ReadRatings, useValue: standings },
      { provide: Predict, useValue: predict },
      { provide: PostgresRatingHistory, useValue: {} },
      { provide: RatingOverrides, useValue: {} },
      { provide: LOG, useValue: { error: (facts: unknown) => logged.push(facts) } },
    ]);
    const ratings = new RpcMany(client, { one: 'getRatings', many: 'getManyRatings' }, 5_000);
    const asked = ['duel', 'none', 'broken', 'squad'].map((pool) => ({ pool, playerIds: ['a'] }));
    expect(await ratings.ask(asked)).toMatchObject([
      { reply: { ratings: [{ playerId: 'a', mu: 1 }], startMu: 25 } },
      { error: { message: 'There is no pool none.' } },
      { error: { code: 2, message: 'The service failed; see its log.' } },
      { reply: { ratings: [{ playerId: 'a', mu: 1 }] } },
    ]);
    expect(logged).toHaveLength(1);
    const chances = new RpcMany(client, { one: 'predict', many: 'predictMany' }, 5_000);
    const matches = [teams('a'), teams('a', 'b')].map((each) => ({ pool: 'duel', teams: each }));
    expect(await chances.ask(matches)).toMatchObject([
      { error: { code: 3, message: 'One team is no match.' } },
      { reply: { chances: [0.5, 0.5] } },
    ]);
  });
});

describe('a job that asks a rating service whose database is away', () => {
  const data = databaseForEach();

  it.each([
    ['over gRPC', () => testWire()],
    ['within a process', () => new InProcessWire()],
  ])('waits for it without spending attempts, and is done once: %s', async (_, wireOf) => {
    const direct = new RatingStores(data().db);
    await direct.pools.create(aPool());
    const proxy = await CuttableProxy.start(data().url.replace('postgresql:', 'http:'));
    ends.push(() => proxy.stop());
    const url = new URL(data().url);
    url.port = new URL(proxy.url).port;
    const db = createDb(url.href);
    ends.push(() => db.$disconnect());
    const wire = wireOf();
    const stores = new RatingStores(db);
    const client = await servedBy(wire, [
      {
        provide: ReadRatings,
        useValue: new ReadRatings(stores.ratings, stores.history, { now: () => 0 }),
      },
      { provide: Predict, useValue: {} },
      { provide: PostgresRatingHistory, useValue: {} },
      { provide: RatingOverrides, useValue: {} },
      { provide: LOG, useValue: silent },
    ]);
    const ratings = new RatingClient(client);
    await ratings.read('ladder', ['a']);

    const redis = await startTestRedis();
    ends.push(() => redis.stop());
    const sender = new JobSender(redis.url, 'r', silent);
    ends.push(() => sender.close());
    const done: string[] = [];
    let tries = 0;
    const handle = async ({ matchId }: MatchJob): Promise<void> => {
      tries++;
      await ratings.read('ladder', [matchId]);
      done.push(matchId);
    };
    const clock = { sound: true, onChange: () => undefined };
    const options = { target: redis.url, realm: 'r', log: silent, clock, concurrency: 4 };
    const worker = workOn(jobQueues.formTeams, MatchJob, handle, { ...options, attempts: { failed: 1 } });
    ends.push(() => worker.stop());

    proxy.shut();
    const send = ['m1', 'm2'].map((matchId) => ({ jobId: matchId, payload: { matchId } }));
    await until(() =>
      sender.send(jobQueues.formTeams, send).then(
        () => true,
        () => false,
      ),
    );
    const dead = () => sender.deadLetters().list(jobQueues.formTeams, 10);
    await until(async () => tries >= 4 || (await dead()).length > 0);
    expect(await dead()).toEqual([]);
    proxy.reopen();
    await until(async () => done.length >= 2);
    expect(done.toSorted()).toEqual(['m1', 'm2']);
    expect(await dead()).toEqual([]);
  });
});
