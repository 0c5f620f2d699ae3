import { jobQueues, MatchJob, rpc } from '@muster/contracts';
import { createDb, PostgresLedgerStore, PostgresOutbox } from '@muster/db';
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
  workOn,
  type JobWorker,
  type Running,
} from '@muster/platform';
import { modelNamed } from '@muster/skill';
import { z } from 'zod';
import { RatingRpc } from '../grpc/rating.rpc.js';
import { LEDGER, RatingsController } from '../http/ratings.controller.js';
import { poolModel } from '../use-cases/model.js';
import { RateReported } from '../use-cases/rate-reported.js';
import { ReadRatings } from '../use-cases/read-ratings.js';

const settingsSchema = serviceSettings.extend({
  ...grpcSettings.shape,
  /** Pools that are created at start if they are not there, separated by commas. */
  POOLS: z.string().default('default,duel'),
  POOL_MODEL: z.string().default('openskill-plackett-luce'),
});

/** Ended matches that are still not rated after this long are rated by whoever notices. */
const ratingOverdueMs = 5_000;

/** Puts the rating service together and runs it. */
export function run(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(settingsSchema, env);
  return runService('rating', settings, async ({ log }) => {
    const { REDIS_URL: url, REALM: realm } = settings;
    const clock = { now: () => Date.now() };
    const db = createDb(settings.DATABASE_URL, {
      maxConnections: settings.DATABASE_POOL,
      applicationName: 'muster-rating',
    });
    const ledger = new PostgresLedgerStore(db);
    const model = modelNamed(settings.POOL_MODEL);
    for (const name of settings.POOLS.split(','))
      await ledger.createPool(name.trim(), model.name, model.defaults);
    const sender = new JobSender(url, realm);
    let worker: JobWorker | null = null;
    const loops: Running[] = [];

    return {
      controllers: [RatingsController, RatingRpc],
      providers: [
        { provide: LEDGER, useValue: ledger },
        { provide: ReadRatings, useValue: new ReadRatings(ledger) },
        { provide: RateReported, useValue: new RateReported(ledger, clock, ids) },
      ],
      needs: [
        { name: 'postgres', check: () => db.$queryRaw`SELECT 1` },
        {
          name: 'jobs',
          check: async () => (worker ? worker.ready() : Promise.reject(new Error('not started yet'))),
        },
      ],
      connect(app) {
        app.connectMicroservice(grpcServer(rpc.rating, settings.GRPC_HOST, settings.GRPC_PORT));
      },
      start() {
        const relay = relayOutbox('rating', new PostgresOutbox(db), sender, log);
        const rate = async (matchId: string): Promise<void> => {
          const { outcome } = await ledger.rateMatch(matchId, poolModel, clock.now());
          if (outcome === 'not-ended') throw new Error(`match ${matchId} has not ended`);
          relay.kick();
          log.info({ matchId, outcome }, 'rate-match');
        };
        worker = workOn(jobQueues.rateMatch, MatchJob, ({ matchId }) => rate(matchId), {
          url,
          realm,
          log,
          concurrency: 4,
        });
        const remind = async (): Promise<void> => {
          for (const matchId of await ledger.endedBefore(clock.now() - ratingOverdueMs, 100))
            await rate(matchId);
        };
        loops.push(relay, repeat('rating reminder', 5_000, remind, log));
      },
      async drain() {
        await worker?.stop();
        await Promise.all(loops.map((loop) => loop.stop()));
      },
      async close() {
        await sender.close();
        await db.$disconnect();
      },
    };
  });
}
