import { FillSeatJob, FormTeamsJob, jobQueues, rpc } from '@muster/contracts';
import { checkMigrated, createDb, databaseTime, PostgresOutbox, serviceLimits } from '@muster/db';
import { PostgresLiveSessionStore } from './live-balance/live-session.store.js';
import { PostgresMatchHistory } from './history/match-history.store.js';
import { PostgresMatchStore } from './forming/match.store.js';
import {
  grpcServer,
  grpcSettings,
  JobSender,
  readSettings,
  relayOutbox,
  repeat,
  runService,
  serviceSettings,
  SharedClock,
  workOn,
  type JobWorker,
  type Running,
} from '@muster/platform';
import { z } from 'zod';
import { AssignmentRpc, MATCH_HISTORY, MATCH_STORE } from './forming/assignment.rpc.js';
import { BalanceController } from './live-balance/balance.controller.js';
import { MatchesController } from './history/matches.controller.js';
import { RoundsController } from './teams/rounds.controller.js';
import { RostersController } from './live-balance/rosters.controller.js';
import { TEAMS_SOLVER, TeamsController } from './teams/teams.controller.js';
import { FillSeat } from './forming/fill-seat.js';
import { FormTeams } from './forming/form-teams.js';
import { LiveBalance } from './live-balance/live-balance.js';
import { LiveSessions } from './live-balance/live-sessions.js';
import { MatchStories } from './history/match-stories.js';
import { ScrambleRound } from './teams/scramble-round.js';
import { RatingClient } from './forming/rating.client.js';
import { SolverThreads } from './teams/solver-threads.client.js';

const settingsSchema = serviceSettings.extend({
  ...grpcSettings.shape,
  RATING_GRPC: z.string().min(1),
  /** Threads that solve team problems for callers of the HTTP interface. */
  SOLVER_THREADS: z.coerce.number().int().min(1).max(64).default(2),
  /** How long verdicts on proposals are kept. */
  RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(30),
});

/** A service that cannot be reached within this time is reported, in milliseconds. */
const dependencyMs = 800;
/** Formed matches that nobody began to place after this long are promised again. */
const placementOverdueMs = 5_000;
/** How often is looked for verdicts that may be forgotten, and how many go in one statement. */
const forgetEveryMs = 60_000;
const forgottenAtOnce = 500;
/** A proposal is settled within its lease, before the reconciler sends its tickets back and they meet again. */
const proposalAttempts = { failed: 7 };
/** How often running matches are looked at whose delay has run out. */
const liveLookMs = 500;
const liveTidyMs = 60_000;

/** Puts the assignment service together and runs it. */
export function run(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(settingsSchema, env);
  return runService('assignment', settings, async ({ log, until }) => {
    const { REDIS_URL: url, REALM: realm } = settings;
    const db = createDb(settings.DATABASE_URL, {
      maxConnections: settings.DATABASE_POOL,
      prepare: settings.DATABASE_PREPARE,
      limits: settings.DATABASE_LIMITS ? serviceLimits : undefined,
      applicationName: 'muster-assignment',
    });
    const sender = new JobSender(url, realm, log);
    const clock = new SharedClock(
      [
        { name: 'Postgres', read: () => databaseTime(db) },
        { name: 'Redis', read: () => sender.time() },
      ],
      settings.CLOCK_SKEW_MS,
    );
    const store = new PostgresMatchStore(db);
    const rating = new RatingClient(settings.RATING_GRPC);
    await until('PostgreSQL', () => checkMigrated(db));
    await until('Redis', () => sender.ready());
    const formTeams = new FormTeams(rating, store, clock);
    const fillSeat = new FillSeat(store, clock);
    const threads = new SolverThreads(settings.SOLVER_THREADS);
    const history = new PostgresMatchHistory(db);
    const stories = new MatchStories(history, rating);
    let worker: JobWorker | null = null;
    let seatWorker: JobWorker | null = null;
    const relay = relayOutbox('assignment', new PostgresOutbox(db), sender, log);
    const liveSessions = new LiveSessions(new PostgresLiveSessionStore(db), rating, clock, () =>
      relay.kick(),
    );
    const loops: Running[] = [];

    return {
      clock,
      controllers: [
        MatchesController,
        TeamsController,
        RoundsController,
        BalanceController,
        RostersController,
        AssignmentRpc,
      ],
      providers: [
        { provide: MatchStories, useValue: stories },
        { provide: TEAMS_SOLVER, useValue: threads },
        { provide: LiveBalance, useValue: new LiveBalance(rating, threads, clock) },
        { provide: LiveSessions, useValue: liveSessions },
        { provide: ScrambleRound, useValue: new ScrambleRound(rating, threads) },
        { provide: MATCH_STORE, useValue: store },
        { provide: MATCH_HISTORY, useValue: history },
      ],
      needs: [{ name: 'postgres', check: () => db.$queryRaw`SELECT 1` }],
      // Without Redis jobs wait; what is asked over HTTP and gRPC is answered.
      helps: [
        {
          name: 'jobs',
          check: async () => (worker ? worker.ready() : Promise.reject(new Error('not started yet'))),
        },
        { name: 'rating', check: () => rating.reachable(dependencyMs) },
      ],
      connect(app) {
        app.connectMicroservice(grpcServer(rpc.assignment, settings.GRPC_HOST, settings.GRPC_PORT));
      },
      start() {
        worker = workOn(
          jobQueues.formTeams,
          FormTeamsJob,
          async (job) => {
            const outcome = await formTeams.run(job);
            relay.kick();
            log.info(
              { matchId: job.matchId, tickets: job.tickets.map((ticket) => ticket.ticketId), outcome },
              'form-teams',
            );
          },
          {
            url,
            realm,
            log,
            clock,
            // As many as the store does in one transaction.
            concurrency: 32,
            attempts: proposalAttempts,
            giveUp: async (job, error) => {
              await formTeams.giveUp(job);
              relay.kick();
              const { matchId, tickets } = job;
              log.error(
                { err: error, matchId, tickets: tickets.map((ticket) => ticket.ticketId) },
                'form-teams was given up; its tickets failed',
              );
            },
          },
        );
        seatWorker = workOn(
          jobQueues.fillSeat,
          FillSeatJob,
          async (job) => {
            const outcome = await fillSeat.run(job);
            relay.kick();
            const { backfillId, matchId, ticketId } = job;
            log.info({ backfillId, matchId, ticketId, outcome }, 'fill-seat');
          },
          {
            url,
            realm,
            log,
            clock,
            concurrency: 4,
            attempts: proposalAttempts,
            giveUp: async (job, error) => {
              await fillSeat.giveUp(job);
              relay.kick();
              const { backfillId, matchId, ticketId } = job;
              log.error(
                { err: error, backfillId, matchId, ticketId },
                'fill-seat was given up; its ticket failed',
              );
            },
          },
        );
        const remind = async (): Promise<void> => {
          const overdue = await store.formedBefore(clock.now() - placementOverdueMs, 100);
          await sender.send(
            jobQueues.placeMatch,
            overdue.map((matchId) => ({ jobId: `again-${matchId}`, payload: { matchId } })),
            'unless-dead',
          );
        };
        const forget = (): Promise<boolean> =>
          store.forgetVerdicts(clock.now() - settings.RETENTION_DAYS * 86_400_000, forgottenAtOnce);
        loops.push(repeat('retention', forgetEveryMs, forget, log));
        loops.push(relay, repeat('placement reminder', 5_000, remind, log));
        loops.push(repeat('live balance', liveLookMs, () => liveSessions.sweep(), log));
        loops.push(repeat('live balance, over', liveTidyMs, () => liveSessions.tidy(), log));
      },
      async drain() {
        await Promise.all([worker?.stop(), seatWorker?.stop()]);
        await Promise.all(loops.map((loop) => loop.stop()));
      },
      async close() {
        await threads.close();
        await sender.close();
        rating.close();
        await db.$disconnect();
      },
    };
  });
}
