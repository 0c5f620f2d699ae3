import { TooBusy } from '@muster/domain';

/** Runs a limited number of calls at once. Others wait in order of arrival, each at most as long as it can. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param atOnce calls that run
   * @param mostWaiting calls that wait
   */
  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /**
   * @param mostMs the longest wait, in milliseconds
   * @throws TooBusy when too many wait already, or after that wait
   */
  async run<T>(mostMs: number, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await this.turn(mostMs);
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private turn(mostMs: number): Promise<void> {
    const { waiting, mostWaiting } = this;
    if (waiting.length >= mostWaiting)
      throw new TooBusy(`${mostWaiting} team problems wait to be solved already; ask again in a second.`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(
          new TooBusy(
            `The time limit of ${mostMs} ms ended before a thread was free, as ${this.atOnce} other team problems are being solved; ask again in a second, or with a longer limit.`,
          ),
        );
      }, mostMs);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(begin);
    });
  }
}
