import { jobQueues } from '@muster/contracts';
import { grouped } from '@muster/domain';
import {
  checkAnswers,
  clientList,
  connectRedis,
  jobsRoot,
  Replicas,
  scriptRunner,
  serverTime,
  untilConnected,
  type RedisConnection,
  type RedisTarget,
  type Replication,
  type ScriptRunner,
} from '@muster/redis';
import { Queue } from 'bullmq';
import { DeadLetters } from './dead-letters.js';
import { ErrorLog } from '../core/error-log.js';
import { jobsSentAgain, lossOfJobs } from '../generated/scripts.js';
import { single, together, type JobItem } from './job-items.js';
import { keepOptions, queueOptions, type Keep } from './job-options.js';
import { JobReaders, queuesThatReadSeveral } from './job-readers.js';
import type { Log } from '../core/logging.js';

/** Enqueues durable jobs. */
export class JobSender {
  private readonly redis: RedisConnection;
  private readonly root: string;
  private readonly run: ScriptRunner;
  private readonly replicas: Replicas;
  private readonly queues = new Map<string, Queue>();
  private readonly readers: JobReaders;

  /** @param replication how many replicas must hold jobs before they count as sent; none by default */
  constructor(
    target: RedisTarget | string,
    realm: string,
    log: Log,
    replication: Replication = { replicas: 0, withinMs: 0 },
  ) {
    const errorLog = new ErrorLog(log);
    // A producer gets an error while Redis is unavailable, instead of hanging.
    this.redis = connectRedis(target, {
      name: 'jobs-out',
      prompt: true,
      commandTimeoutMs: 5_000 + replication.withinMs,
      onError: errorLog.of('Redis (jobs out)'),
    });
    this.root = jobsRoot(realm);
    this.run = scriptRunner(this.redis, this.root);
    this.replicas = new Replicas(this.redis, this.root, replication);
    const names = Object.values(jobQueues);
    for (const name of names) {
      const queue = new Queue(name, { connection: this.redis, ...queueOptions(realm) });
      queue.on('error', errorLog.of(`the job queue ${name}`));
      this.queues.set(name, queue);
    }
    this.readers = new JobReaders(
      async () => queuesThatReadSeveral(await clientList(this.redis), realm, names),
      (error) => errorLog.report('jobs are sent one by one: the list of Redis clients', error),
    );
  }

  /**
   * Sends items as jobs: several in one job if every worker of the queue reads that, else each in a job of its own.
   *
   * @param items BullMQ ignores a job whose id is pending or a dead letter
   * @throws NotReplicated after they were sent
   */
  async send(name: string, items: readonly JobItem[], keep: Keep = 'always'): Promise<void> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`there is no job queue "${name}"`);
    const several = items.length > 1 && (await this.readers.readSeveral(name));
    const jobs = several ? together(items) : items.map(single);
    const more = keepOptions(keep);
    await this.replicas.hold(() =>
      queue.addBulk(jobs.map(({ jobId, data }) => ({ name, data, opts: { jobId, ...more } }))),
    );
  }

  /**
   * Whether jobs of an owner may be lost: another server runs than the one on which they were noted, or nothing is noted.
   *
   * @returns the loss, for `mended`; null without one
   */
  async lossOf(owner: string): Promise<string | null> {
    const [loss = null] = await lossOfJobs(this.run, { owner });
    return loss;
  }

  /** The jobs of an owner are sent again. No effect after another loss. */
  async mended(owner: string, loss: string): Promise<void> {
    await jobsSentAgain(this.run, { owner, loss });
  }

  /** The dead letters of every queue. */
  deadLetters(): DeadLetters {
    return new DeadLetters(this.queues);
  }

  /** Rejects while Redis is unavailable. */
  async ready(): Promise<void> {
    // A connection that is being established rejects commands.
    await untilConnected(this.redis);
    await checkAnswers(this.redis, this.root);
  }

  /** The Redis server's time, in milliseconds since the epoch. */
  time(): Promise<number> {
    return serverTime(this.redis, this.root);
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.redis.disconnect();
  }
}

/** Sends items to their queues. @throws NotReplicated */
export async function sendByQueue(
  sender: Pick<JobSender, 'send'>,
  items: readonly (JobItem & { readonly queue: string })[],
): Promise<void> {
  const byQueue = grouped(items, ({ queue }) => queue);
  await Promise.all([...byQueue].map(([queue, each]) => sender.send(queue, each)));
}
