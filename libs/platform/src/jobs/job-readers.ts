import type { JobQueue } from '@muster/contracts';
import { jobsRoot } from '@muster/redis';

/** The name of a worker that takes jobs of several items. Workers of the release before have none. */
export const readsSeveral = 'items';

/** How long an answer about workers is used. */
const knownForMs = 5_000;

/** The name under which BullMQ connects a worker. */
const connectionOf = (realm: string, queue: string): string =>
  `${jobsRoot(realm)}:${Buffer.from(queue).toString('base64')}`;

/**
 * The queues whose every connected worker takes jobs of several items. A queue without a connected worker is not among
 * them: the next worker may be of the release before.
 *
 * @param clients the answer to CLIENT LIST
 */
export function queuesThatReadSeveral(
  clients: string,
  realm: string,
  queues: readonly JobQueue[],
): ReadonlySet<string> {
  const names = new Set([...clients.matchAll(/ name=(\S+)/g)].map(([, name]) => name));
  return new Set(
    queues.filter((queue) => {
      const connection = connectionOf(realm, queue);
      return names.has(`${connection}:w:${readsSeveral}`) && !names.has(connection);
    }),
  );
}

/** Knows which queues may be sent jobs of several items, so that a rolling update needs no setting. */
export class JobReaders {
  private queues: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  private askedAt = -Infinity;

  /**
   * @param ask returns the queues, of {@link queuesThatReadSeveral}
   * @param onError called when Redis does not tell; jobs are then sent one by one
   */
  constructor(
    private readonly ask: () => Promise<ReadonlySet<string>>,
    private readonly onError: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Concurrent calls share a question: all of them get its answer. */
  async readSeveral(queue: string): Promise<boolean> {
    const now = this.now();
    if (now - this.askedAt >= knownForMs) {
      this.askedAt = now;
      this.queues = this.ask().catch((error: unknown) => {
        this.onError(error);
        return new Set<string>();
      });
    }
    return (await this.queues).has(queue);
  }
}
