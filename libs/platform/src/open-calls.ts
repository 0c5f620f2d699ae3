import { TooBusy, TooManyOpen } from '@muster/domain';
import type { FastifyRequest } from 'fastify';

/** How many calls may be held open at one process. */
export interface OpenCallLimits {
  readonly perCaller: number;
  readonly perProcess: number;
}

/**
 * Counts the calls that are held open while they wait: event streams and long polls. They cost a socket and memory for as long
 * as a caller likes, so one caller may hold few of them, and a process no more than it has room for.
 */
export class OpenCalls {
  private readonly byCaller = new Map<string, number>();
  private total = 0;
  private readonly leaving = new Set<() => void>();
  private isEnding = false;

  constructor(private readonly limits: OpenCallLimits) {}

  /** Calls that are open now. */
  get count(): number {
    return this.total;
  }

  /**
   * Holds a call open until `wait` settles.
   *
   * @param caller whose limit it counts for, such as `player alice`; null for operators, who have none
   * @param wait gets a signal that fires when the caller hangs up, or the process is about to end
   * @throws TooManyOpen when the caller holds too many, TooBusy when the process does
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
      // A socket serves many calls, one after the other: the listener must not outlive this one.
      socket.off('close', leave);
      this.leaving.delete(leave);
      release();
    }
  }

  /** The process is about to end: calls that wait are answered with what there is, and later ones at once. */
  endAll(): void {
    this.isEnding = true;
    for (const leave of this.leaving) leave();
  }

  private take(caller: string | null): () => void {
    const { perCaller, perProcess } = this.limits;
    if (this.total >= perProcess)
      throw new TooBusy(
        'This process holds as many streams and long polls open as it may. Try again in a moment.',
      );
    const held = caller === null ? 0 : (this.byCaller.get(caller) ?? 0);
    if (held >= perCaller)
      throw new TooManyOpen(
        `You hold ${held} streams and long polls open, and ${perCaller} is the limit. Close one before you open another.`,
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
