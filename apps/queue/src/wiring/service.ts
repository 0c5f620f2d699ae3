import {
  jobQueues,
  MatchRated,
  rpc,
  TicketNews,
  type SettleProposalReply,
  type SettleProposalRequest,
} from '@muster/contracts';
import { createDb } from '@muster/db';
import type { ProposalVerdict } from '@muster/domain';
import {
  ids,
  JobSender,
  readSettings,
  repeat,
  RpcClient,
  runService,
  workOn,
  type Running,
} from '@muster/platform';
import { connectRedis, realmRoot, RedisTicketFeed, RedisTicketStore } from '@muster/redis';
import { randomUUID } from 'node:crypto';
import { QueuesController } from '../http/queues.controller.js';
import { TicketStreams } from '../http/ticket-stream.js';
import { TicketViews } from '../http/ticket-view.js';
import { TicketsController } from '../http/tickets.controller.js';
import { Calibrate } from '../use-cases/calibrate.js';
import { Enqueue } from '../use-cases/enqueue.js';
import { HearNews } from '../use-cases/hear-news.js';
import { Matcher } from '../use-cases/matcher.js';
import { MyTickets } from '../use-cases/my-tickets.js';
import { Queues } from '../use-cases/queues.js';
import { SettleProposals } from '../use-cases/settle-proposals.js';
import { ShowWaiting } from '../use-cases/show-waiting.js';
import { GatheredSearches } from './gathered-searches.js';
import { RpcRatingReader } from './rating-reader.js';
import { queueSettings, readQueues } from './settings.js';

/** How often concluded calibrations are looked for that rating was not asked to seed, or did not answer for. */
const seedAgainMs = 3_000;

/** Puts the queue service together and runs it. */
export function run(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(queueSettings, env);
  const queues = new Queues(readQueues(settings.QUEUES_FILE));
  return runService('queue', settings, ({ log, tokens }) => {
    const { REDIS_URL: url, REALM: realm } = settings;
    const clock = { now: () => Date.now() };
    const db = createDb(settings.DATABASE_URL, {
      maxConnections: settings.DATABASE_POOL,
      applicationName: 'muster-queue',
    });
    const redis = connectRedis(url, { name: 'queue' });
    const feedRedis = connectRedis(url, { name: 'queue-feed', blocking: true });
    const store = new RedisTicketStore(redis, realmRoot(realm));
    const feed = new RedisTicketFeed(feedRedis, realmRoot(realm));
    const ratings = new RpcRatingReader(settings.RATING_GRPC, clock);
    const calibrate = new Calibrate(
      new GatheredSearches(db),
      ratings,
      ratings,
      clock,
      ids,
      (pool, playerId, why) =>
        log.warn(
          { pool, playerId, why },
          'a calibration ended without a rating; the one that its matches made stays',
        ),
    );
    const assignment = new RpcClient(rpc.assignment, settings.ASSIGNMENT_GRPC);
    const sender = new JobSender(url, realm);
    const holder = randomUUID();
    const matcherSettings = {
      leaseMs: settings.MATCHER_LEASE_MS,
      proposalLeaseMs: settings.PROPOSAL_LEASE_MS,
      poolLimit: 20_000,
    };
    const matchers = queues.all.map(
      (rules) => new Matcher(rules, holder, store, sender, clock, ids, matcherSettings),
    );
    const settle = async (matchId: string): Promise<ProposalVerdict> => {
      const said = await assignment.call<SettleProposalRequest, SettleProposalReply>(
        'settleProposal',
        { matchId },
        3_000,
      );
      return {
        verdict: said.verdict === 'formed' ? 'formed' : 'refused',
        reason: said.reason,
        failedTicketIds: said.failedTicketIds,
      };
    };
    const settler = new SettleProposals(store, { settle }, clock, settings.PROPOSAL_LEASE_MS);
    const hearNews = new HearNews(store, clock);
    const views = new TicketViews(tokens, clock.now);
    const streams = new TicketStreams(store, feed, views);
    const loops: Running[] = [];
    const workers: { ready: () => Promise<unknown>; stop(): Promise<void> }[] = [];

    return {
      controllers: [TicketsController, QueuesController],
      providers: [
        { provide: Enqueue, useValue: new Enqueue(queues, ratings, calibrate, store, clock, ids) },
        { provide: MyTickets, useValue: new MyTickets(store, clock) },
        { provide: ShowWaiting, useValue: new ShowWaiting(queues, store, clock) },
        { provide: Queues, useValue: queues },
        { provide: TicketViews, useValue: views },
        { provide: TicketStreams, useValue: streams },
      ],
      needs: [
        { name: 'redis', check: () => redis.ping() },
        { name: 'postgres', check: () => db.$queryRaw`SELECT 1` },
        { name: 'rating', check: () => ratings.ratingsOf(queues.all[0]?.pool ?? 'default', ['readiness']) },
      ],
      start() {
        void feed.follow();
        workers.push(
          workOn(jobQueues.ticketNews, TicketNews, (news) => hearNews.run(news), {
            url,
            realm,
            log,
            concurrency: 16,
          }),
        );
        const seeds = repeat('calibration seeds', seedAgainMs, () => calibrate.settle(), log);
        loops.push(seeds);
        const count = async (match: MatchRated): Promise<void> => {
          if (await calibrate.count(match)) seeds.kick();
        };
        workers.push(workOn(jobQueues.matchRated, MatchRated, count, { url, realm, log, concurrency: 4 }));
        for (const matcher of matchers) {
          loops.push(repeat('matcher', settings.TICK_MS, async () => void (await matcher.tick()), log));
        }
        loops.push(repeat('proposal reconciler', 1_000, async () => (await settler.run()) > 0, log));
      },
      async drain() {
        await Promise.all(loops.map((loop) => loop.stop()));
        await Promise.allSettled(matchers.map((matcher) => matcher.stop()));
        await Promise.all(workers.map((worker) => worker.stop()));
        streams.endAll();
      },
      async close() {
        feed.stop();
        await sender.close();
        ratings.close();
        assignment.close();
        redis.disconnect();
        await db.$disconnect();
      },
    };
  });
}
