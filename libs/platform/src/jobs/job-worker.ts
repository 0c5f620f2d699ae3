import { noMeter, traced, type JobQueue, type Meter, type Traces } from '@muster/contracts';
import { checkAnswers, connectRedis, jobsRoot, type RedisTarget } from '@muster/redis';
import { Worker, type Job } from 'bullmq';
import type { z } from 'zod';
import { ErrorLog } from '../core/error-log.js';
import { backOffMs, UnknownJob, type Attempts } from './job-attempts.js';
import { matchIdIn, severalOf, traceFieldsIn, traceIn } from './job-items.js';
import { readsSeveral } from './job-readers.js';
import { measuredWork } from './measured-work.js';
import { RetryPolicy } from './job-retries.js';
import { JobsOfSeveral } from './jobs-of-several.js';
import type { Log } from '../core/logging.js';
import type { SharedClock } from '../loops/shared-clock.js';

export interface JobWorker {
  readonly ready: () => Promise<unknown>;
  stop(): Promise<void>;
}

/** Options of a worker. */
export interface WorkOptions<T> {
  readonly target: RedisTarget | string;
  readonly realm: string;
  readonly log: Log;
  /** No job is taken while the machine's clock is wrong, because BullMQ dates delays by it. */
  readonly clock: Pick<SharedClock, 'sound' | 'onChange'>;
  /** Takes the outcomes of jobs and their durations. */
  readonly meter?: Meter;
  /** Records the handling of an item that carries a trace. */
  readonly traces?: Traces | null;
  /** Jobs in progress at once. Each has at most `jobLimits.items` items, which are handled concurrently. */
  readonly concurrency: number;
  /** The limits of attempts; the defaults where not given. */
  readonly attempts?: Partial<Attempts>;
  /** Called before a parsed item becomes a dead letter, to settle its consequences. Must be idempotent. */
  readonly giveUp?: (item: T, error: unknown) => Promise<void>;
}

/**
 * Processes the jobs of a queue. Delivery is at-least-once: `handle` must be idempotent. Its errors are logged and the
 * item is retried with back-off. An item that has used up its attempts becomes a dead letter, which operators see. An
 * unavailable store uses up no attempts. The items of a job are handled concurrently, in no order.
 *
 * @param schema validates the payload; an item that does not match may be of a newer version and is left to a replica
 * that can parse it
 */
export function workOn<T>(
  name: JobQueue,
  schema: z.ZodType<T>,
  handle: (item: T) => Promise<void>,
  options: WorkOptions<T>,
): JobWorker {
  const { target, realm, log, clock, concurrency, meter = noMeter, traces = null } = options;
  const errorLog = new ErrorLog(log);
  // It waits for Redis while it is unavailable.
  const redis = connectRedis(target, { name, blocking: true, onError: errorLog.of(`Redis (${name})`) });
  const read = (data: unknown): T => readItem(schema, data);
  const plain = async (payload: unknown): Promise<void> => handle(read(payload));
  const work = traces ? tracedWork(name, traces, plain) : plain;
  const retryPolicy = new RetryPolicy(name, read, options, errorLog);
  const several = new JobsOfSeveral(name, work, retryPolicy, { redis, realm, log, errorLog });
  const worker = new Worker<unknown>(
    name,
    (job, token) =>
      measuredWork(name, meter, async () => {
        const items = severalOf(job.data);
        if (items !== null) return several.run(job, items, token);
        await work(job.data).catch((error: unknown) => retryPolicy.failed(job, error, token));
        return 0;
      }),
    {
      name: readsSeveral,
      connection: redis,
      prefix: jobsRoot(realm),
      concurrency,
      // The jobs of a worker that was killed or stalls go to another worker within this time.
      lockDuration: 5_000,
      stalledInterval: 2_000,
      // A job that crashes one process after the other becomes a dead letter as well.
      maxStalledCount: 25,
      settings: { backoffStrategy: (attempt, _type, error) => backOffMs(error, attempt) },
    },
  );
  worker.on('error', errorLog.of(`the worker of ${name}`));
  worker.on('failed', (job, error) => logFailed(log, name, job, error));
  pauseWhileUnsound(worker, clock, (error) => log.warn({ err: error, jobQueue: name }, 'no pause'));
  return {
    ready: () => checkAnswers(redis, jobsRoot(realm)),
    async stop() {
      await worker.close();
      await several.close();
      redis.disconnect();
    },
  };
}

/** Work on items; one that carries a trace is a span of it. */
function tracedWork(queue: JobQueue, traces: Traces, work: (payload: unknown) => Promise<void>): typeof work {
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'messaging.operation.type': 'process',
  };
  return (payload) => {
    const parent = traceIn(payload);
    if (parent === undefined) return work(payload);
    const facts = { 'muster.match.id': matchIdIn(payload), ...attributes };
    return traced(traces, `process ${queue}`, { kind: 'consumer', parent, attributes: facts }, () =>
      work(payload),
    );
  };
}

function logFailed(log: Log, jobQueue: JobQueue, job: Job<unknown> | undefined, error: Error): void {
  const { id: jobId, attemptsMade: attempts, data } = job ?? {};
  const facts = { err: error, jobId, jobQueue, attempts, ...traceFieldsIn(data) };
  if (job?.finishedOn === undefined) log.warn(facts, 'a job failed; it will be retried');
  else log.error(facts, 'a job became a dead letter: "muster jobs" shows and retries it');
}

/** @throws UnknownJob with the validation errors */
function readItem<T>(schema: z.ZodType<T>, data: unknown): T {
  const item = schema.safeParse(data);
  if (item.success) return item.data;
  const flaws = item.error.issues.map(({ path, message }) => `${path.join('.') || 'job'}: ${message}`);
  throw new UnknownJob(`this version cannot parse the job (${flaws.slice(0, 5).join('; ')})`);
}

/** Takes no jobs while the machine's clock is wrong. */
function pauseWhileUnsound(
  worker: Worker<unknown>,
  clock: WorkOptions<unknown>['clock'],
  onError: (error: unknown) => void,
): void {
  const follow = (): void => {
    if (clock.sound) worker.resume();
    else worker.pause(true).catch(onError);
  };
  clock.onChange(follow);
  if (!clock.sound) follow();
}
