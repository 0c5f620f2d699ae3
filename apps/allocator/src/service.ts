import { BalanceSession, jobQueues, MatchJob, rpc, SeatFilled } from '@muster/contracts';
import { checkMigrated, createDb, databaseTime, PostgresOutbox, serviceLimits } from '@muster/db';
import { PostgresPlacementStore } from './placement/placement.store.js';
import {
  grpcServer,
  grpcSettings,
  ids,
  JobSender,
  ownClocks,
  readSettings,
  relayOutbox,
  repeat,
  runService,
  serviceSettings,
  SharedClock,
  textOrFile,
  Troubles,
  whileSound,
  workOn,
  type JobWorker,
  type Running,
} from '@muster/platform';
import { connectRedis, realmRoot, WakeUps } from '@muster/redis';
import { hostname } from 'node:os';
import { z } from 'zod';
import { AllocatorRpc } from './placement/allocator.rpc.js';
import { BackfillsController } from './backfill/backfills.controller.js';
import { ServersController } from './fleet/servers.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { Backfills } from './backfill/backfills.js';
import { Fleet } from './fleet/fleet.js';
import { Hearing } from './fleet/hearing.js';
import { LeaveMatch } from './placement/leave-match.js';
import { Placing } from './placement/placing.js';
import { commandsOf, slots } from './fleet/notifier.js';
import { ScaleOut } from './scale-out/scale-out.js';
import { Sessions } from './sessions/sessions.js';
import { WebhookScaler } from './scale-out/webhook-scaler.client.js';

const settingsSchema = serviceSettings.extend({
  GRPC_HOST: grpcSettings.shape.GRPC_HOST,
  /** Without it nobody can leave a match that finds no server or ask for builds: the release before had none. */
  GRPC_PORT: grpcSettings.shape.GRPC_PORT.optional(),
  ANSWER_MS: z.coerce.number().int().min(100).max(120_000).default(5_000),
  SILENCE_MS: z.coerce.number().int().min(500).max(600_000).default(10_000),
  /** A match that is not over by then is abandoned and its players are free. */
  MATCH_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(3 * 3_600_000),
  AVOID_MS: z.coerce.number().int().min(0).max(600_000).default(15_000),
  /** Who is asked for servers when a match finds none free; without it nobody is. */
  SCALE_OUT_URL: z.url({ protocol: /^https?$/ }).optional(),
  SCALE_OUT_TOKEN: textOrFile.optional(),
  /** How often at most about the same build and regions. */
  SCALE_OUT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(30),
  /** Builds that servers may be asked for, with commas; without it those of servers that are known. */
  SCALE_OUT_BUILDS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional(),
  /** How long a server that is lost or has left is kept. */
  SERVER_RETENTION_HOURS: z.coerce.number().min(1).max(87_600).default(168),
  /** How long closed sessions are kept, with their commands, reports, conflicts and requests for players. */
  RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  SCALE_OUT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});

/** Callers have turned to other replicas by then, in milliseconds: a server's timeouts with one call is shorter. */
const replicaGoneMs = 60_000;

/** How often is looked for what may be forgotten, and how many rows of a kind go in one transaction. */
const forgetEveryMs = 60_000;
const forgottenAtOnce = 500;

/** How often shortages are looked for that nobody has asked about. */
const shortageLookMs = 1_000;

/** Puts the allocator together and runs it. */
export function run(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(settingsSchema, env);
  return runService('allocator', settings, async ({ log, until }) => {
    const { REDIS_URL: url, REALM: realm } = settings;
    const db = createDb(settings.DATABASE_URL, {
      maxConnections: settings.DATABASE_POOL,
      prepare: settings.DATABASE_PREPARE,
      limits: settings.DATABASE_LIMITS ? serviceLimits : undefined,
      applicationName: 'muster-allocator',
    });
    await until('PostgreSQL', () => checkMigrated(db));
    const store = new PostgresPlacementStore(db);
    const troubles = new Troubles(log);
    const publisher = connectRedis(url, { name: 'allocator-wake', onError: troubles.of('Redis (wake-ups)') });
    const subscriber = connectRedis(url, {
      name: 'allocator-woken',
      blocking: true,
      onError: troubles.of('Redis (woken)'),
    });
    const sender = new JobSender(url, realm, log);
    const clock = new SharedClock(
      [
        { name: 'Postgres', read: () => databaseTime(db) },
        { name: 'Redis', read: () => sender.time() },
      ],
      settings.CLOCK_SKEW_MS,
    );
    const notifier = new WakeUps(publisher, subscriber, `${realmRoot(realm)}:wake`, troubles.of('wake-ups'));
    const timeouts = {
      answerMs: settings.ANSWER_MS,
      silenceMs: settings.SILENCE_MS,
      avoidMs: settings.AVOID_MS,
    };
    const toleranceMs = timeouts.silenceMs / 3;
    const hearing = new Hearing(
      store,
      // The same after a restart, so that the others do not wait for one that came back.
      `${hostname()}:${settings.HTTP_PORT === 0 ? process.pid : settings.HTTP_PORT}`,
      { toleranceMs, goneMs: Math.max(replicaGoneMs, 2 * timeouts.silenceMs) },
      clock,
      ownClocks,
    );
    const placing = new Placing(store, notifier, clock, timeouts, settings.MATCH_LIMIT_MS, hearing);
    await until('Redis', () => sender.ready());
    const outbox = relayOutbox('allocator', new PostgresOutbox(db), sender, log);
    const loops: Running[] = [outbox];
    let worker: JobWorker | null = null;
    let seatWorker: JobWorker | null = null;
    let balanceWorker: JobWorker | null = null;
    const ended = new AbortController();

    const afterCommit = (): void => outbox.kick();
    const backfills = new Backfills(store, notifier, clock, ids, afterCommit, timeouts.answerMs, hearing);
    const {
      SCALE_OUT_URL: scalerUrl,
      SCALE_OUT_TOKEN: scalerToken,
      SCALE_OUT_SECONDS: everySeconds,
      SCALE_OUT_TIMEOUT_MS: timeoutMs,
    } = settings;
    const scaleOut =
      scalerUrl === undefined
        ? null
        : new ScaleOut(
            store,
            new WebhookScaler(scalerUrl, scalerToken, timeoutMs, ended.signal),
            clock,
            afterCommit,
            everySeconds * 1000,
            settings.SCALE_OUT_BUILDS,
          );

    return {
      clock,
      controllers: [ServersController, SessionsController, BackfillsController, AllocatorRpc],
      providers: [
        {
          provide: Fleet,
          useValue: new Fleet(store, notifier, clock, timeouts, afterCommit, hearing, (serverId, kind, seq) =>
            troubles.tell(
              'commands that this version does not know',
              new Error(
                `${serverId} has the command ${seq}, of kind "${kind}"; it is left to a newer replica`,
              ),
            ),
          ),
        },
        { provide: Backfills, useValue: backfills },
        { provide: LeaveMatch, useValue: new LeaveMatch(store, clock, afterCommit) },
        { provide: Sessions, useValue: new Sessions(store, notifier, clock, ids, afterCommit) },
      ],
      needs: [{ name: 'postgres', check: () => db.$queryRaw`SELECT 1` }],
      // Without Redis jobs wait; what is asked over HTTP and gRPC is answered.
      helps: [
        {
          name: 'jobs',
          check: async () => (worker ? worker.ready() : Promise.reject(new Error('not started yet'))),
        },
      ],
      connect(app) {
        if (settings.GRPC_PORT === undefined)
          return log.warn(
            'GRPC_PORT is not set: nobody can leave a match that finds no server, and the builds of servers cannot be asked',
          );
        app.connectMicroservice(grpcServer(rpc.allocator, settings.GRPC_HOST, settings.GRPC_PORT));
      },
      async start() {
        notifier
          .start()
          .catch((error: unknown) =>
            log.warn({ err: error }, 'wake-ups are away; long polls look by themselves'),
          );
        const sweeper = repeat(
          'placement sweep',
          500,
          whileSound(clock, async () => {
            const more = await placing.sweep();
            outbox.kick();
            return more;
          }),
          log,
        );
        loops.push(
          sweeper,
          // A loop of its own: a long sweep is no break.
          repeat('hearing', Math.min(500, toleranceMs / 4), () => hearing.tell(), log),
          repeat(
            'backfills',
            500,
            whileSound(clock, () => backfills.sweep()),
            log,
          ),
        );
        const forget = (): Promise<boolean> => {
          const now = clock.now();
          const before = {
            servers: now - settings.SERVER_RETENTION_HOURS * 3_600_000,
            sessions: now - settings.RETENTION_DAYS * 86_400_000,
          };
          return store.forget(before, forgottenAtOnce);
        };
        loops.push(repeat('retention', forgetEveryMs, forget, log));
        // A loop of its own: a scaler that does not answer holds up no placement.
        const scaling =
          scaleOut &&
          repeat(
            'scale-out',
            shortageLookMs,
            whileSound(clock, async () => {
              for (const { shortage, error } of await scaleOut.run())
                if (error === null) log.info({ shortage }, 'servers were asked for');
                else log.warn({ shortage, err: error }, 'servers could not be asked for');
            }),
            log,
          );
        if (scaling) loops.push(scaling);
        worker = workOn(
          jobQueues.placeMatch,
          MatchJob,
          async ({ matchId }) => {
            if (await placing.begin(matchId)) {
              outbox.kick();
              scaling?.kick();
            }
            log.info({ matchId }, 'place-match');
          },
          // As many as the store does in one transaction.
          { url, realm, log, clock, concurrency: 32 },
        );
        seatWorker = workOn(jobQueues.seatFilled, SeatFilled, (taken) => backfills.seatFilled(taken), {
          url,
          realm,
          log,
          clock,
          concurrency: 4,
        });
        balanceWorker = workOn(
          jobQueues.balanceSession,
          BalanceSession,
          async ({ sessionId, order }) => {
            const serverId = await store.commandBalance(sessionId, order, clock.now());
            if (serverId !== null) notifier.wake(commandsOf(serverId));
            log.info({ sessionId, number: order.number, moves: order.moves.length }, 'balance-session');
          },
          { url, realm, log, clock, concurrency: 4 },
        );
        const hearSlots = async (): Promise<void> => {
          await notifier.wait(slots, 5_000, ended.signal);
          if (ended.signal.aborted) return;
          if (await placing.hasten()) sweeper.kick();
        };
        loops.push(repeat('slot watch', 0, hearSlots, log));
      },
      async drain() {
        ended.abort();
        await Promise.all([worker?.stop(), seatWorker?.stop(), balanceWorker?.stop()]);
        await Promise.all(loops.map((loop) => loop.stop()));
        // Should it fail, the others wait for this replica until it counts as gone.
        await hearing.stop().catch((error: unknown) => log.warn({ err: error }, 'others were not told'));
      },
      async close() {
        await sender.close();
        publisher.disconnect();
        subscriber.disconnect();
        await db.$disconnect();
      },
    };
  });
}
