import type { Clock, ClockReading } from '@muster/domain';

/** A store that tells the time, in milliseconds since the epoch. */
export interface TimeSource {
  readonly name: string;
  read(): Promise<number>;
}

/** A reading that took longer says too little about when it was made. */
const longestReadMs = 500;

/** The process's own clocks. */
export const ownClocks = (): ClockReading => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/**
 * The time that processes share: that of the store in which they meet, carried on between two readings by the monotonic clock.
 * The machine's own clock may be set wrong, or be set at any moment: nothing is decided by it.
 *
 * It also says whether the machine's clock is wrong. A store's clock may be the wrong one, so it is wrong only when it is far from
 * that of every store.
 */
export class SharedClock implements Clock {
  private offsetMs: number;
  /** Whether the first store was ever read: until then the machine's clock is all there is. */
  private known = false;
  private readonly aheadMs = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  /** @param sources the first gives the time, the others bear witness */
  constructor(
    private readonly sources: readonly [TimeSource, ...TimeSource[]],
    /** How far the machine's clock may be off. */
    private readonly boundMs: number,
    private readonly read: () => ClockReading = ownClocks,
  ) {
    const { monotonicMs, wallMs } = read();
    this.offsetMs = wallMs - monotonicMs;
  }

  readonly now = (): number => Math.round(this.read().monotonicMs + this.offsetMs);

  /** Reads the stores' clocks. One that does not answer, or not at once, is left out: the time goes on as it did. */
  async measure(): Promise<void> {
    const was = this.sound;
    await Promise.allSettled(this.sources.map((source, i) => this.ask(source, i === 0)));
    if (this.sound !== was) for (const listener of this.listeners) listener();
  }

  /** Whether the machine's clock agrees with that of a store, as far as is known. */
  get sound(): boolean {
    return Math.abs(this.skewMs) <= this.boundMs;
  }

  /** How far the machine's clock is ahead of the store that it is closest to; negative when it is behind. */
  get skewMs(): number {
    const known = [...this.aheadMs.values()].toSorted((a, b) => Math.abs(a) - Math.abs(b));
    return Math.round(known[0] ?? 0);
  }

  /** What is wrong, in words. */
  get complaint(): string {
    const { skewMs } = this;
    const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
    const stores = this.sources.map(({ name }) => name).join(' and ');
    return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ${stores}; set it by NTP`;
  }

  /** Calls the listener when the clock becomes wrong, or right. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private async ask(source: TimeSource, leads: boolean): Promise<void> {
    const before = this.read();
    const time = await source.read();
    const tookMs = this.read().monotonicMs - before.monotonicMs;
    if (tookMs > longestReadMs && (this.known || !leads)) return;
    this.aheadMs.set(source.name, before.wallMs + tookMs / 2 - time);
    if (!leads) return;
    this.offsetMs = time - (before.monotonicMs + tookMs / 2);
    this.known = true;
  }
}
