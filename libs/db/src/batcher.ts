import { errorCodes } from '@muster/domain';
import { Prisma } from './generated/client.js';

/** No free connection, and a transaction that could not begin or took too long: a database that is busy, whatever it is told. */
const busy = ['P2024', 'P2028'];

/** SQLSTATEs of a database that is away or ends what it does (08, 53, 57, 58), and Prisma's names for a broken connection. */
const away = /^(?:08...|53...|57...|58...|DatabaseNotReachable|ConnectionClosed|SocketTimeout)$/;

/**
 * Whether one item may be to blame: the database refused what it was told, or code stumbled. A database that is away (P1…) or
 * busy refuses all alike.
 */
export function mayBeItemsFault(error: unknown): boolean {
  if (errorCodes(error).some((code) => away.test(code))) return false;
  if (error instanceof Prisma.PrismaClientKnownRequestError)
    return error.code.startsWith('P2') && !busy.includes(error.code);
  return !(
    error instanceof Prisma.PrismaClientInitializationError ||
    error instanceof Prisma.PrismaClientUnknownRequestError ||
    error instanceof Prisma.PrismaClientRustPanicError
  );
}

interface Asked<I, O> {
  readonly item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Does in one go what is asked for while the go before is under way: as one transaction, much is hardly more work than little.
 * What is asked for under one key is done in the order in which it came, one go at a time; keys do not wait for each other.
 */
export class Batcher<I, O> {
  private readonly waiting = new Map<string, Asked<I, O>[]>();

  /**
   * @param most items in one go
   * @param run does all or nothing; its answers are in the order of the items
   * @param isItemsFault whether an error may be the fault of one item: then each is tried alone, so that nobody suffers for another.
   *   Any other, such as a lost connection, is everybody's
   */
  constructor(
    private readonly most: number,
    private readonly run: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly isItemsFault: (error: unknown) => boolean,
  ) {}

  /** @returns what `run` answered; rejects with what it threw */
  submit(key: string, item: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      const queue = this.waiting.get(key);
      if (queue) {
        queue.push({ item, resolve, reject });
        return;
      }
      const first = [{ item, resolve, reject }];
      this.waiting.set(key, first);
      void this.work(key, first);
    });
  }

  private async work(key: string, queue: Asked<I, O>[]): Promise<void> {
    while (queue.length > 0) await this.settle(queue.splice(0, this.most));
    this.waiting.delete(key);
  }

  private async settle(asked: readonly Asked<I, O>[]): Promise<void> {
    try {
      const answers = await this.run(asked.map(({ item }) => item));
      asked.forEach(({ resolve }, i) => resolve(answers[i] as O));
    } catch (error) {
      if (asked.length > 1 && this.isItemsFault(error)) for (const each of asked) await this.settle([each]);
      else for (const { reject } of asked) reject(error);
    }
  }
}
