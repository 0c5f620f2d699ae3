import { CreatePool, jobQueues, MatchJob, rpc } from '@muster/contracts';
import { checkMigrated, createDb, databaseTime, PostgresOutbox, serviceLimits } from '@muster/db';
import { PostgresLedgerStore } from './ledger/ledger.store.js';
import { PostgresQueuedPools } from './pools/queued-pools.store.js';
import { PostgresRebuildStore } from './rebuilds/rebuild.store.js';
import {
  grpcServer,
  grpcSettings,
  ids,
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
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { LEDGER, RatingRpc } from './ledger/rating.rpc.js';
import { PoolsController } from './pools/pools.controller.js';
import { RatingsController } from './ledger/ratings.controller.js';
import { RoundsController } from './rounds/rounds.controller.js';
import { RebuildViews } from './rebuilds/rebuild.view.js';
import { LineTransport } from './lines/line-transport.js';
import { WeightsController } from './lines/weights.controller.js';
import { GiveRating } from './ledger/give-rating.js';
import { ReadHealth } from './pools/health.js';
import { Pools } from './pools/pools.js';
import { Predict } from './predictions/predict.js';
import { RateReported } from './ledger/rate-reported.js';
import { poolRater } from './ledger/rater.js';
import { Rebuilds } from './rebuilds/rebuilds.js';
import { Recalibrate } from './pools/recalibrate.js';
import { ReportDoor } from './ledger/report-door.js';
import { Rounds } from './rounds/rounds.js';
import { Standings } from './ledger/standings.js';
import { VoidMatch } from './ledger/void-match.js';
import { Weights } from './lines/weights.js';
import { lineSettings, readLineSettings } from './lines/read-line-settings.js';

const settingsSchema = serviceSettings.extend({
  ...grpcSettings.shape,
  ...lineSettings.shape,
  /** Pools that are created at start if they are not there, separated by commas. */
  POOLS: z.string().default('default,duel'),
  POOL_MODEL: z.string().default('openskill-plackett-luce'),
  /** How long a rebuild may be silent before another process takes it over. */
  REBUILD_LEASE_MS: z.coerce.number().int().min(1_000).max(600_000).default(15_000),
  /** How often each pool is asked whether its calibration can be bettered. */
  RECALIBRATE_MS: z.coerce.number().int().min(100).max(3_600_000).default(30_000),
});

/** Ended matches that are still not rated after this long are rated by whoever notices. */
const ratingOverdueMs = 5_000;

/** The longest statement of a rebuild. */
const rebuildStatementMs = 600_000;

/** Puts the rating service together and runs it. */
export function run(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(settingsSchema, env);
  const lines = readLineSettings(settings);
  return runService('rating', settings, async ({ log, until }) => {
    const { REDIS_URL: url, REALM: realm } = settings;
    const db = createDb(settings.DATABASE_URL, {
      maxConnections: settings.DATABASE_POOL,
      prepare: settings.DATABASE_PREPARE,
      limits: settings.DATABASE_LIMITS ? serviceLimits : undefined,
      applicationName: 'muster-rating',
    });
    const sender = new JobSender(url, realm, log);
    const clock = new SharedClock(
      [
        { name: 'Postgres', read: () => databaseTime(db) },
        { name: 'Redis', read: () => sender.time() },
      ],
      settings.CLOCK_SKEW_MS,
    );
    // Of its own: taking away what a rebuild left behind may take minutes.
    const rebuildDb = createDb(settings.DATABASE_URL, {
      maxConnections: 2,
      prepare: settings.DATABASE_PREPARE,
      applicationName: 'muster-rating-rebuild',
      limits: settings.DATABASE_LIMITS ? { ...serviceLimits, statementMs: rebuildStatementMs } : undefined,
    });
    const ledger = new PostgresLedgerStore(db);
    const pools = new Pools(ledger);
    const seeds = settings.POOLS.split(',').map((name) =>
      CreatePool.parse({ name: name.trim(), model: settings.POOL_MODEL }),
    );
    await until('PostgreSQL', async () => {
      await checkMigrated(db);
      for (const seed of seeds) await pools.create(seed);
    });
    await until('Redis', () => sender.ready());
    const relay = relayOutbox('rating', new PostgresOutbox(db), sender, log);
    const kick = (): void => relay.kick();
    const standings = new Standings(ledger, clock);
    const rebuilds = new Rebuilds(
      new PostgresRebuildStore(rebuildDb),
      ledger,
      clock,
      ids,
      randomUUID(),
      settings.REBUILD_LEASE_MS,
      (rebuild, what) => log.info({ pool: rebuild.pool, rebuildId: rebuild.rebuildId }, `rebuild ${what}`),
    );
    const recalibrate = new Recalibrate(ledger, ({ name, version, calibration }) =>
      log.info({ pool: name, version, scale: calibration.scale.mean }, 'a better calibration is in force'),
    );
    const afterReport = (rated: string | null): void => {
      kick();
      if (rated === null) return;
      // Beside the answer: the next round of the clock makes up for one that fails.
      recalibrate
        .reported(rated)
        .catch((error: unknown) => log.warn({ err: error, pool: rated }, 'no recalibration'));
    };
    const health = new ReadHealth(ledger);
    const given = new GiveRating(ledger, clock, ids);
    const reported = new RateReported(
      ledger,
      clock,
      ids,
      afterReport,
      new ReportDoor(ledger, new PostgresQueuedPools(db), clock),
    );
    let worker: JobWorker | null = null;
    const loops: Running[] = [relay];

    return {
      clock,
      controllers: [RatingsController, PoolsController, RoundsController, RatingRpc, WeightsController],
      providers: [
        { provide: LEDGER, useValue: ledger },
        { provide: Pools, useValue: pools },
        { provide: Standings, useValue: standings },
        { provide: Rebuilds, useValue: rebuilds },
        { provide: RebuildViews, useValue: new RebuildViews(pools) },
        { provide: ReadHealth, useValue: health },
        { provide: Weights, useValue: new Weights(ledger, clock) },
        { provide: Predict, useValue: new Predict(ledger) },
        { provide: GiveRating, useValue: given },
        { provide: VoidMatch, useValue: new VoidMatch(ledger, rebuilds, clock, ids, kick) },
        { provide: RateReported, useValue: reported },
        { provide: Rounds, useValue: new Rounds(reported, standings, given, health) },
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
        app.connectMicroservice(grpcServer(rpc.rating, settings.GRPC_HOST, settings.GRPC_PORT));
        if (lines === null) return;
        const strategy = new LineTransport(lines, {
          listening: (port) => log.info({ host: lines.host, port }, 'the line protocol listens'),
          refused: (count) => log.warn({ count }, 'connections of the line protocol were turned away'),
        });
        app.connectMicroservice({ strategy });
      },
      start() {
        const rate = async (matchId: string): Promise<void> => {
          const { outcome } = await ledger.rateMatch(matchId, poolRater, clock.now());
          if (outcome === 'not-ended') throw new Error(`match ${matchId} has not ended`);
          relay.kick();
          log.info({ matchId, outcome }, 'rate-match');
        };
        worker = workOn(jobQueues.rateMatch, MatchJob, ({ matchId }) => rate(matchId), {
          url,
          realm,
          log,
          clock,
          concurrency: 4,
        });
        const remind = async (): Promise<void> => {
          for (const matchId of await ledger.endedBefore(clock.now() - ratingOverdueMs, 100))
            await rate(matchId).catch((error: unknown) =>
              log.error({ matchId, error }, 'a match that ended is not rated yet'),
            );
        };
        loops.push(repeat('rating reminder', 5_000, remind, log));
        loops.push(repeat('rebuilds', 500, () => rebuilds.work(), log));
        loops.push(
          repeat('recalibration', settings.RECALIBRATE_MS, async () => void (await recalibrate.run()), log),
        );
      },
      async drain() {
        rebuilds.stop();
        await worker?.stop();
        await Promise.all(loops.map((loop) => loop.stop()));
      },
      async close() {
        await sender.close();
        await Promise.all([db.$disconnect(), rebuildDb.$disconnect()]);
      },
    };
  });
}
