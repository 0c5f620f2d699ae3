import { LRUCache } from 'lru-cache';
import { left, paceOf, taken, waitMs, type Pace, type Rate } from './bucket.js';
import { rateClasses, subjects, type RateClass, type Rates, type Subject } from './limit-settings.js';
import type { SharedBucket, SharedBuckets } from './shared-buckets.js';

/** A limit of one class and one kind of subject. */
export interface RateLimit extends Pace {
  /** As headers, problems and metrics name it, such as `tickets-by-player`. */
  readonly name: string;
  readonly rate: Rate;
  /** Whether all processes count together. Reads are too many and too cheap for that. */
  readonly isShared: boolean;
}

/** What a limit says of a call. */
export interface RateVerdict {
  readonly limit: RateLimit;
  /** 0 for a call that may go on. */
  readonly waitMs: number;
  /** The calls that are left after it. */
  readonly left: number;
}

interface Bucket extends SharedBucket {
  readonly limit: RateLimit;
}

const ownOnly: ReadonlySet<RateClass> = new Set(['reads', 'servers']);
/** Buckets that a process keeps. One that is forgotten begins full, until the others tell what was taken from it. */
const bucketsKept = 100_000;

/**
 * Counts calls. A call waits for nothing: this process's bucket decides, and a moment later it and the buckets of other processes
 * are told of each other (see {@link SharedBuckets}). Two processes that do not know of each other yet may together let through a
 * burst each. What was too much is owed.
 */
export class RateLimits {
  private readonly limits: ReadonlyMap<RateClass, ReadonlyMap<Subject, RateLimit>>;
  private readonly buckets = new LRUCache<string, Bucket>({ max: bucketsKept });

  /**
   * @param rates null for none
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    rates: Rates | null,
    private readonly shared: Pick<SharedBuckets<Bucket>, 'note' | 'hear'> | null = null,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.limits = new Map(rateClasses.map((each) => [each, limitsOf(each, rates?.[each] ?? {})]));
    shared?.hear((name, fullInMs) => this.heard(name, fullInMs));
  }

  /** The limits by name. */
  get all(): readonly RateLimit[] {
    return [...this.limits.values()].flatMap((of) => [...of.values()]);
  }

  /**
   * Takes a call from the buckets of its caller and of its address, or from neither.
   *
   * @param who null for a caller that only has an address
   * @param address null if it is not counted
   * @returns the verdict of the emptier one; null if neither has a limit
   */
  take(
    what: RateClass,
    who: { readonly kind: Subject; readonly id: string } | null,
    address: string | null,
  ): RateVerdict | null {
    const of = this.limits.get(what);
    const ofCaller = who === null ? undefined : of?.get(who.kind);
    const ofAddress = address === null ? undefined : of?.get('address');
    if (!ofCaller && !ofAddress) return null;
    const now = this.now();
    const first = ofCaller && who ? this.bucket(ofCaller, who.id, now) : null;
    const second = ofAddress && address !== null ? this.bucket(ofAddress, address, now) : null;
    const refused = refusal(first, now) ?? refusal(second, now);
    if (refused) return refused;
    const one = first && this.takeFrom(first, now);
    const other = second && this.takeFrom(second, now);
    return one && other ? tighter(one, other) : (one ?? other);
  }

  /** Whether an address has used up a class, without taking from it. */
  spent(what: RateClass, address: string | null): RateVerdict | null {
    const limit = address === null ? undefined : this.limits.get(what)?.get('address');
    if (!limit || address === null) return null;
    const now = this.now();
    return refusal(this.bucket(limit, address, now), now);
  }

  private bucket(limit: RateLimit, of: string, now: number): Bucket {
    const name = `${limit.name}:${of}`;
    const known = this.buckets.get(name);
    if (known) return known;
    const bucket = { name, limit, fillMs: limit.fillMs, everyMs: limit.everyMs, fullAt: now, untoldMs: 0 };
    this.buckets.set(name, bucket);
    return bucket;
  }

  private takeFrom(bucket: Bucket, now: number): RateVerdict {
    const { limit } = bucket;
    bucket.fullAt = taken(bucket.fullAt, now, limit);
    if (limit.isShared && this.shared) {
      bucket.untoldMs += limit.everyMs;
      this.shared.note(bucket);
    }
    return { limit, waitMs: 0, left: left(bucket.fullAt, now, limit) };
  }

  /** What all processes took from a bucket. */
  private heard(name: string, fullInMs: number): void {
    const limit = this.limitNamed(name);
    if (!limit) return;
    const now = this.now();
    const bucket = this.bucket(limit, name.slice(limit.name.length + 1), now);
    bucket.fullAt = Math.max(bucket.fullAt, now + fullInMs + bucket.untoldMs);
  }

  private limitNamed(name: string): RateLimit | undefined {
    const [what = '', subject = ''] = name.slice(0, name.indexOf(':')).split('-by-');
    return this.limits.get(what as RateClass)?.get(subject as Subject);
  }
}

function limitsOf(
  what: RateClass,
  rates: Readonly<Partial<Record<Subject, Rate | null>>>,
): ReadonlyMap<Subject, RateLimit> {
  return new Map(
    subjects.flatMap((subject): [Subject, RateLimit][] => {
      const rate = rates[subject];
      if (!rate) return [];
      return [
        [subject, { name: `${what}-by-${subject}`, rate, isShared: !ownOnly.has(what), ...paceOf(rate) }],
      ];
    }),
  );
}

function refusal(bucket: Bucket | null, now: number): RateVerdict | null {
  if (bucket === null) return null;
  const { limit, fullAt } = bucket;
  const wait = waitMs(fullAt, now, limit);
  return wait > 0 ? { limit, waitMs: wait, left: 0 } : null;
}

const tighter = (one: RateVerdict, other: RateVerdict): RateVerdict =>
  one.left / one.limit.rate.burst <= other.left / other.limit.rate.burst ? one : other;
