import {
  BackfillNews,
  Conduct,
  jobQueues,
  Latencies,
  MatchRated,
  readStoredRules,
  rpc,
  MatchUpdate,
  type SettleProposalReply,
  type SettleProposalRequest,
} from '@muster/contracts';
import { checkMigrated, createDb, databaseTime, serviceLimits } from '@muster/db';
import { PostgresPartyStore } from './parties/party.store.js';
import { PostgresRulesStore } from './rules/rules.store.js';
import type { ClockReading, ProposalVerdict } from '@muster/domain';
import { defaultBehaviourModel } from '@muster/matchmaking';
import {
  DeadLetters,
  ids,
  JobSender,
  ownClocks,
  readPlayerClaims,
  readSettings,
  repeat,
  RpcClient,
  runService,
  SharedClock,
  Troubles,
  whileSound,
  workOn,
  type Running,
} from '@muster/platform';
import { connectRedis, realmRoot, RedisTicketFeed, RedisTicketStore } from '@muster/redis';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { JobsController } from './jobs/jobs.controller.js';
import { ConductController } from './matching/conduct.controller.js';
import { PartiesController } from './parties/parties.controller.js';
import { QueuesController } from './rules/queues.controller.js';
import { StandingController } from './standing/standing.controller.js';
import { TicketStreams } from './tickets/ticket-stream.view.js';
import { TicketViews } from './tickets/ticket.view.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { AvoidLists } from './standing/avoid-lists.js';
import { Behaviour } from './standing/behaviour.js';
import { Calibrate } from './calibration/calibrate.js';
import { Enqueue } from './tickets/enqueue.js';
import { ExplainWaiting } from './matching/explain-waiting.js';
import { FollowRules } from './rules/follow-rules.js';
import { Hearing } from './matching/hearing.js';
import { ApplyMatchUpdates } from './tickets/match-updates.js';
import { KnownBuilds } from './tickets/known-builds.js';
import { Matcher } from './matching/matcher.js';
import { MyTickets } from './tickets/my-tickets.js';
import { Parties } from './parties/parties.js';
import { chargesOf, Penalties } from './standing/penalties.js';
import { PutRules } from './rules/put-rules.js';
import { QueueParty } from './parties/queue-party.js';
import { QueuePool } from './matching/queue-pool.js';
import { QueuePools } from './matching/queue-pools.js';
import { Queues } from './rules/queues.js';
import { ReadRecord } from './matching/read-record.js';
import { ReadyChecks } from './matching/ready-checks.js';
import { SettleProposals } from './matching/settle-proposals.js';
import { ShowWaiting } from './matching/show-waiting.js';
import { Standing } from './standing/standing.js';
import { AllocatorClient } from './tickets/allocator.client.js';
import { BatchedSearches } from './calibration/batched-searches.store.js';
import { BatchedAvoids, BatchedMarks, BatchedPenalties } from './standing/batched-standing.store.js';
import { RpcMatchRosters } from './standing/match-rosters.client.js';
import { RpcRatingReader } from './calibration/rating.client.js';
import { queueSettings, readQueues } from './settings.js';

/** A service that cannot be reached within this time is reported, in milliseconds. */
const dependencyMs = 800;
/** How often concluded calibrations are looked for that rating was not asked to seed, or did not answer for. */
const seedAgainMs = 3_000;
/** How often parties are looked for that were left lying. */
const idlePartiesMs = 60_000;
/** How often ready checks are looked for whose time is over. */
const readyChecksMs = 500;
/** Players count as heard while each look finds the one before it no longer ago; after a break, when so long has passed again. */
const playersHeard = { toleranceMs: 2_000, graceMs: 10_000 };
/** How often rules are looked for that another replica put in force. */
const followRulesMs = 1_000;

const partyReading = {
  latencyMs: (json: unknown) => Latencies.parse(json),
  claims: (json: unknown) => readPlayerClaims(json) ?? {},
};

/** Puts the queue service together and runs it. */
export function run(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(queueSettings, env);
  const seeds = readQueues(settings.QUEUES_FILE);
  return runService('queue', settings, async ({ log, tokens, until }) => {
    const { REDIS_URL: url, REALM: realm } = settings;
    const db = createDb(settings.DATABASE_URL, {
      maxConnections: settings.DATABASE_POOL,
      prepare: settings.DATABASE_PREPARE,
      limits: settings.DATABASE_LIMITS ? serviceLimits : undefined,
      applicationName: 'muster-queue',
    });
    const sender = new JobSender(url, realm, log);
    const clock = new SharedClock(
      [
        { name: 'Redis', read: () => sender.time() },
        { name: 'Postgres', read: () => databaseTime(db) },
      ],
      settings.CLOCK_SKEW_MS,
    );
    const queues = new Queues();
    const rulesStore = new PostgresRulesStore(db, readStoredRules);
    const follow = new FollowRules(queues, rulesStore, clock);
    const otherwise = await until('PostgreSQL', async () => {
      await checkMigrated(db);
      return follow.open(seeds.rules, seeds.why);
    });
    if (settings.QUEUES_FILE !== undefined && otherwise.length > 0)
      log.warn(
        { file: settings.QUEUES_FILE, queues: otherwise },
        'QUEUES_FILE differs from the rules in force, which stay: it makes queues that are not there and changes none; put it in force with "muster rules apply"',
      );
    queues.onChange((name) =>
      log.info({ queue: name, version: queues.versionOf(name) }, 'new rules are in force'),
    );
    const troubles = new Troubles(log);
    const redis = connectRedis(url, { name: 'queue', onError: troubles.of('Redis (tickets)') });
    const feedRedis = connectRedis(url, {
      name: 'queue-feed',
      blocking: true,
      onError: troubles.of('Redis (feed)'),
    });
    const store = new RedisTicketStore(redis, realmRoot(realm));
    const feed = new RedisTicketFeed(feedRedis, realmRoot(realm), troubles.of('the feed of tickets'));
    const ratings = new RpcRatingReader(settings.RATING_GRPC, clock);
    const calibrate = new Calibrate(
      new BatchedSearches(db),
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
    const avoids = new BatchedAvoids(db);
    const behaviourModel = {
      ...defaultBehaviourModel,
      halfLifeMs: settings.BEHAVIOUR_HALF_LIFE_DAYS * 86_400_000,
    };
    const rosters = new RpcMatchRosters(assignment);
    const behaviour = new Behaviour(new BatchedMarks(db), rosters, behaviourModel, clock);
    const standing = new Standing(avoids, behaviour);
    const penalties = new Penalties(queues, new BatchedPenalties(db), store, clock, ids);
    const allocator =
      settings.ALLOCATOR_GRPC === undefined ? null : new AllocatorClient(settings.ALLOCATOR_GRPC);
    if (!allocator)
      log.warn(
        'ALLOCATOR_GRPC is not set: nobody can leave a match that finds no server, and tickets without a build are of the build "dev"',
      );
    const builds = new KnownBuilds(allocator, clock, (error) =>
      log.warn(
        { err: error },
        'the builds of servers cannot be asked: tickets without a build are of the build "dev"',
      ),
    );
    const enqueue = new Enqueue(
      queues,
      ratings,
      calibrate,
      store,
      clock,
      ids,
      standing,
      penalties,
      follow,
      builds,
    );
    const partyStore = new PostgresPartyStore(db, partyReading);
    const parties = new Parties(partyStore, store, clock, ids);
    await until('Redis', () => sender.ready());
    // Says whose lease it is, for whoever looks into Redis.
    const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
    const matcherSettings = {
      leaseMs: settings.MATCHER_LEASE_MS,
      proposalLeaseMs: settings.PROPOSAL_LEASE_MS,
    };
    const pools = new QueuePools((name) => new QueuePool(name, queues, store, clock));
    const matchers = new Map<string, { readonly matcher: Matcher; readonly loop: Running }>();
    const matchOn = (name: string): void => {
      if (matchers.has(name)) return;
      const pool = pools.of(name);
      const matcher = new Matcher(name, queues, pool, holder, store, sender, clock, ids, matcherSettings);
      const loop = repeat(
        'matcher',
        settings.TICK_MS,
        async () => {
          if (clock.sound) await matcher.tick();
          // Another replica goes on at once.
          else await matcher.stop();
        },
        log,
      );
      matchers.set(name, { matcher, loop });
    };
    const explain = new ExplainWaiting(pools, follow, clock);
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
    const applyMatchUpdates = new ApplyMatchUpdates(store, penalties, clock);
    const myTickets = new MyTickets(
      store,
      clock,
      allocator && {
        leave: (matchId, ticketId) => allocator.leave(matchId, ticketId),
        hear: (news) => applyMatchUpdates.run(news),
      },
    );
    const readClocks = (): ClockReading[] => {
      const own = ownClocks();
      return [own, { ...own, wallMs: clock.now() }];
    };
    const readyChecks = new ReadyChecks(
      store,
      myTickets,
      penalties,
      sender,
      clock,
      new Hearing(playersHeard, readClocks),
      settings.PROPOSAL_LEASE_MS,
    );
    const views = new TicketViews(tokens, clock.now, ({ queue, rulesVersion }) =>
      queues.newestKnown(queue) === 0 ? rulesVersion : queues.effectiveVersion(queue, rulesVersion),
    );
    const streams = new TicketStreams(store, feed, views, troubles.of('event streams'));
    const loops: Running[] = [];
    const workers: { ready: () => Promise<unknown>; stop(): Promise<void> }[] = [];

    return {
      clock,
      controllers: [
        TicketsController,
        ConductController,
        PartiesController,
        StandingController,
        QueuesController,
        JobsController,
      ],
      providers: [
        { provide: Enqueue, useValue: enqueue },
        { provide: QueueParty, useValue: new QueueParty(partyStore, enqueue, clock) },
        { provide: Parties, useValue: parties },
        { provide: AvoidLists, useValue: new AvoidLists(avoids, settings.AVOID_LIMIT, clock) },
        { provide: Behaviour, useValue: behaviour },
        { provide: MyTickets, useValue: myTickets },
        { provide: ReadyChecks, useValue: readyChecks },
        { provide: Penalties, useValue: penalties },
        { provide: ExplainWaiting, useValue: explain },
        { provide: ShowWaiting, useValue: new ShowWaiting(queues, follow, explain, store, clock) },
        { provide: ReadRecord, useValue: new ReadRecord(queues, follow, store, clock) },
        { provide: Queues, useValue: queues },
        { provide: FollowRules, useValue: follow },
        { provide: PutRules, useValue: new PutRules(queues, follow, rulesStore, ratings, clock) },
        { provide: TicketViews, useValue: views },
        { provide: DeadLetters, useValue: sender.deadLetters() },
        { provide: TicketStreams, useValue: streams },
      ],
      needs: [
        { name: 'redis', check: () => redis.ping() },
        // Until it has read the rules there is no queue; that is done before it listens.
      ],
      // Cancelling, reading and streams of tickets go on without these, and so does queueing without rating for a while.
      helps: [
        { name: 'postgres', check: () => db.$queryRaw`SELECT 1` },
        { name: 'rating', check: () => ratings.reachable(dependencyMs) },
        { name: 'assignment', check: () => assignment.reachable(dependencyMs) },
      ],
      start() {
        void feed.follow();
        workers.push(
          workOn(jobQueues.matchUpdates, MatchUpdate, (news) => applyMatchUpdates.run(news), {
            url,
            realm,
            log,
            clock,
            concurrency: 16,
          }),
        );
        const hearOfBackfill = (news: BackfillNews): Promise<void> =>
          news.kind === 'wanted'
            ? store.openBackfill(news)
            : store.closeBackfill(news.queue, news.backfillId);
        workers.push(
          workOn(jobQueues.backfills, BackfillNews, hearOfBackfill, {
            url,
            realm,
            log,
            clock,
            concurrency: 4,
          }),
        );
        const seeding = repeat('calibration seeds', seedAgainMs, () => calibrate.settle(), log);
        loops.push(seeding);
        const count = async (match: MatchRated): Promise<void> => {
          if (await calibrate.count(match)) seeding.kick();
        };
        workers.push(
          workOn(jobQueues.matchRated, MatchRated, count, { url, realm, log, clock, concurrency: 4 }),
        );
        loops.push(repeat('idle parties', idlePartiesMs, () => parties.sweep(), log));
        loops.push(repeat('queue rules', followRulesMs, () => follow.refresh(), log));
        for (const { name } of queues.all) matchOn(name);
        queues.onChange(matchOn);
        workers.push(
          workOn(jobQueues.conduct, Conduct, (said) => penalties.charge(chargesOf(said)), {
            url,
            realm,
            log,
            clock,
            concurrency: 4,
          }),
        );
        loops.push(
          repeat(
            'ready checks',
            readyChecksMs,
            whileSound(clock, () => readyChecks.sweep()),
            log,
          ),
        );
        loops.push(
          repeat(
            'proposal reconciler',
            1_000,
            whileSound(clock, async () => (await settler.run()) > 0),
            log,
          ),
        );
      },
      async drain() {
        await Promise.all(loops.map((loop) => loop.stop()));
        await Promise.all([...matchers.values()].map(({ loop }) => loop.stop()));
        await Promise.allSettled([...matchers.values()].map(({ matcher }) => matcher.stop()));
        await Promise.all(workers.map((worker) => worker.stop()));
      },
      async close() {
        feed.stop();
        await sender.close();
        ratings.close();
        assignment.close();
        allocator?.close();
        redis.disconnect();
        await db.$disconnect();
      },
    };
  });
}
