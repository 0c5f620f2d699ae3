import type { Clock, ClockReading } from '@muster/domain';

/** A store that provides the time, in milliseconds since the epoch. */
export interface TimeSource {
  readonly name: string;
  read(): Promise<number>;
}

/** A slower reading is too imprecise. */
const maxReadMs = 500;

/** The process's own clocks. */
export const ownClocks = (): ClockReading => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/**
 * The time that all processes share: that of their common store, advanced by the monotonic clock between two readings.
 * No decision depends on the machine's wall clock, which may be wrong or be set at any moment.
 *
 * It also detects a wrong machine clock. A store's clock may be the wrong one, so the machine's counts as wrong only if
 * it is far from that of every store.
 */
export class SharedClock implements Clock {
  private offsetMs: number;
  /** Whether the first store was ever read; until then only the machine's clock is available. */
  private known = false;
  private readonly aheadMs = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  /** @param sources the first provides the time, the others verify it */
  constructor(
    private readonly sources: readonly [TimeSource, ...TimeSource[]],
    /** The tolerated offset of the machine's clock. */
    private readonly boundMs: number,
    private readonly read: () => ClockReading = ownClocks,
  ) {
    const { monotonicMs, wallMs } = read();
    this.offsetMs = wallMs - monotonicMs;
  }

  readonly now = (): number => Math.round(this.read().monotonicMs + this.offsetMs);

  /** Reads the stores' clocks. Slow and failed readings are ignored: the time advances as before. */
  async measure(): Promise<void> {
    const was = this.sound;
    await Promise.allSettled(this.sources.map((source, i) => this.ask(source, i === 0)));
    if (this.sound !== was) for (const listener of this.listeners) listener();
  }

  /** Whether the machine's clock agrees with that of a store, as far as known. */
  get sound(): boolean {
    return Math.abs(this.skewMs) <= this.boundMs;
  }

  /** The offset of the machine's clock from the nearest store; negative when it is behind. */
  get skewMs(): number {
    const known = [...this.aheadMs.values()].toSorted((a, b) => Math.abs(a) - Math.abs(b));
    return Math.round(known[0] ?? 0);
  }

  /** A description of the wrong clock. */
  get problem(): string {
    const { skewMs } = this;
    const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
    const stores = this.sources.map(({ name }) => name).join(' and ');
    return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ${stores}; set it by NTP`;
  }

  /** Calls the listener when the clock becomes wrong or correct. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private async ask(source: TimeSource, leads: boolean): Promise<void> {
    const before = this.read();
    const time = await source.read();
    const tookMs = this.read().monotonicMs - before.monotonicMs;
    if (tookMs > maxReadMs && (this.known || !leads)) return;
    this.aheadMs.set(source.name, before.wallMs + tookMs / 2 - time);
    if (!leads) return;
    this.offsetMs = time - (before.monotonicMs + tookMs / 2);
    this.known = true;
  }
}
