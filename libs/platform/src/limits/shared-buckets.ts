import type { ScriptRunner } from '@muster/redis';
import { shareLimits } from '../generated/scripts.js';

/** A bucket that processes share. */
export interface SharedBucket {
  readonly name: string;
  readonly everyMs: number;
  readonly fillMs: number;
  /** The time at which it is full, by the clock of {@link SharedBuckets}. */
  fullAt: number;
  /** What was taken and is not told yet, in milliseconds that the bucket needs longer to be full. */
  untoldMs: number;
}

/** Buckets in one call. It blocks Redis for some 3 µs each. */
const atOnce = 500;
/** The pause between two calls while nothing was taken: what others spent is known after it. */
const idleMs = 500;
/** Buckets that wait to be told. Beyond it, while Redis is away, a process counts alone for good. */
const untoldMost = 100_000;

/**
 * Tells other processes what was taken from buckets, and hears what they took, by one short call to Redis for all buckets that
 * changed. Nobody waits for it. While Redis is away, each process counts alone, and tells afterwards what is still owed.
 */
export class SharedBuckets<B extends SharedBucket = SharedBucket> {
  private readonly untold = new Set<B>();
  private listener: (name: string, fullInMs: number) => void = () => undefined;
  private since = '0';
  private toldAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly run: ScriptRunner,
    private readonly onError: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A bucket from which something was taken. */
  note(bucket: B): void {
    if (this.untold.size < untoldMost) this.untold.add(bucket);
  }

  /** @param listener gets the names of buckets that others know of, with the milliseconds until they are full */
  hear(listener: (name: string, fullInMs: number) => void): void {
    this.listener = listener;
  }

  /** One turn. @returns whether there is more to tell */
  async share(): Promise<boolean> {
    if (this.untold.size === 0 && this.now() - this.toldAt < idleMs) return false;
    const now = this.now();
    this.toldAt = now;
    const told = this.next();
    // What came back meanwhile is not owed any more.
    const took = told.map(({ untoldMs, fullAt }) =>
      Math.max(0, Math.floor(Math.min(untoldMs, fullAt - now))),
    );
    for (const [i, bucket] of told.entries()) {
      bucket.untoldMs -= took[i] ?? 0;
      this.untold.delete(bucket);
    }
    try {
      this.tell(
        told,
        await shareLimits(this.run, {
          since: Number(this.since),
          buckets: told.map(({ name }) => name),
          took: took.map(String),
          most: told.map(({ fillMs }) => String(Math.ceil(fillMs))),
          spent: told.map(({ fillMs, everyMs }) => String(Math.floor(fillMs - everyMs))),
        }),
      );
      return this.untold.size > 0;
    } catch (error) {
      for (const [i, bucket] of told.entries()) {
        bucket.untoldMs += took[i] ?? 0;
        this.note(bucket);
      }
      this.onError(error);
      return false;
    }
  }

  private next(): B[] {
    const told: B[] = [];
    for (const bucket of this.untold) {
      if (told.length === atOnce) break;
      told.push(bucket);
    }
    return told;
  }

  private tell(told: readonly B[], [time = '0', ...answer]: readonly string[]): void {
    this.since = time;
    for (const [i, { name }] of told.entries()) this.listener(name, Number(answer[i]));
    for (let i = told.length; i + 1 < answer.length; i += 2)
      this.listener(answer[i] ?? '', Number(answer[i + 1]));
  }
}
