import type { PostgresOutbox } from '@muster/db';
import { sendByQueue, type JobSender } from './job-sender.js';
import type { Log } from '../core/logging.js';
import { repeat, type Running } from '../loops/loop.js';

/** Interval at which a loss is noticed, in milliseconds. */
const lookMs = 1_000;
/** Jobs are sent again for this long after they were sent, in milliseconds. */
export const sentAgainMs = 600_000;
/** Interval at which older ones are deleted, in milliseconds. */
const deleteEveryMs = 30_000;
const sentAtOnce = 200;
const deletedAtOnce = 2_000;

/**
 * Sends the jobs of an owner again when Redis may have lost them: all that were sent a short while ago. Handlers are
 * idempotent, and BullMQ ignores a job that is pending under the same id.
 */
export class SentJobs {
  private running: readonly Running[] = [];

  /** @param owner of the jobs; a service that writes none sends none again */
  constructor(
    private readonly owner: string | null,
    private readonly sent: Pick<PostgresOutbox, 'sentAfter' | 'forget'>,
    private readonly sender: Pick<JobSender, 'send' | 'lossOf' | 'mended'>,
    private readonly log: Log,
  ) {}

  start(): void {
    const { owner, log } = this;
    if (owner === null) return;
    this.running = [
      repeat(`lost jobs of ${owner}`, lookMs, () => this.look(owner), log, Infinity),
      repeat(
        `sent jobs of ${owner}`,
        deleteEveryMs,
        async () => (await this.sent.forget(owner, sentAgainMs, deletedAtOnce)) === deletedAtOnce,
        log,
      ),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((loop) => loop.stop()));
  }

  /** Sends jobs again if some may be lost. */
  async look(owner: string): Promise<void> {
    const loss = await this.sender.lossOf(owner);
    if (loss === null) return;
    let count = 0;
    for (let after: string | null = '0'; after !== null;) {
      const entries = await this.sent.sentAfter(owner, after, sentAtOnce);
      await sendByQueue(this.sender, entries);
      count += entries.length;
      after = entries.length < sentAtOnce ? null : (entries.at(-1)?.id ?? null);
    }
    await this.sender.mended(owner, loss);
    if (count > 0) this.log.warn({ owner, jobs: count }, 'Redis may have lost jobs: they are sent again');
  }
}
