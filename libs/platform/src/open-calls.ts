import { TooBusy, TooManyOpen } from '@muster/domain';
import type { FastifyRequest } from 'fastify';

/** The maximum number of calls held open at one process. */
export interface OpenCallLimits {
  readonly perCaller: number;
  readonly perProcess: number;
}

/**
 * Counts open event streams and long polls. Each holds a socket and memory for as long as the caller likes, so the
 * number is limited per caller and per process.
 */
export class OpenCalls {
  private readonly byCaller = new Map<string, number>();
  private total = 0;
  private readonly leaving = new Set<() => void>();
  private isEnding = false;

  constructor(private readonly limits: OpenCallLimits) {}

  /** The number of open calls. */
  get count(): number {
    return this.total;
  }

  /**
   * Holds a call open until `wait` settles.
   *
   * @param caller the caller whose limit applies, such as `player alice`; null for operators, who have no limit
   * @param wait receives a signal that aborts when the caller hangs up or the process shuts down
   * @throws TooManyOpen at the caller's limit, TooBusy at the process's limit
   */
  async hold<T>(
    caller: string | null,
    { raw: { socket } }: FastifyRequest,
    wait: (left: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const release = this.take(caller);
    const left = new AbortController();
    const leave = (): void => left.abort();
    socket.once('close', leave);
    this.leaving.add(leave);
    if (socket.destroyed || this.isEnding) leave();
    try {
      return await wait(left.signal);
    } finally {
      // A socket serves many successive calls: the listener must not outlive this one.
      socket.off('close', leave);
      this.leaving.delete(leave);
      release();
    }
  }

  /** The process shuts down: waiting calls, and later ones, are answered immediately with what is available. */
  endAll(): void {
    this.isEnding = true;
    for (const leave of this.leaving) leave();
  }

  private take(caller: string | null): () => void {
    const { perCaller, perProcess } = this.limits;
    if (this.total >= perProcess)
      throw new TooBusy(
        'This process has reached its limit of open streams and long polls. Try again later.',
      );
    const held = caller === null ? 0 : (this.byCaller.get(caller) ?? 0);
    if (held >= perCaller)
      throw new TooManyOpen(
        `You have ${held} open streams and long polls; the limit is ${perCaller}. Close one before you open another.`,
        { open: held, limit: perCaller },
      );
    this.total++;
    if (caller !== null) this.byCaller.set(caller, held + 1);
    return () => {
      this.total--;
      if (caller === null) return;
      const left = (this.byCaller.get(caller) ?? 1) - 1;
      if (left > 0) this.byCaller.set(caller, left);
      else this.byCaller.delete(caller);
    };
  }
}
