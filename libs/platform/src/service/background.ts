import type { JobQueue, Traces } from '@muster/contracts';
import type { RedisTarget } from '@muster/redis';
import { Inject, Injectable, SetMetadata, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { z } from 'zod';
import type { ServiceSettings } from '../core/config.js';
import { REDIS } from '../core/injection.js';
import type { Attempts } from '../jobs/job-attempts.js';
import { workOn, type JobWorker } from '../jobs/job-worker.js';
import { OutboxRelay } from '../jobs/outbox-relay.js';
import { longestTurnMs, repeat, whileSound, type Running } from '../loops/loop.js';
import { SharedClock } from '../loops/shared-clock.js';
import { LOG, SETTINGS, TRACES } from '../core/injection.js';
import { Metrics } from '../metrics/metrics.js';
import type { Log } from '../core/logging.js';

type Turn = () => Promise<boolean | void>;

interface LoopOptions {
  readonly name: string;
  readonly pauseMs: number | ((settings: never) => number);
  /** Whether turns are skipped while the clock of this machine is wrong. */
  readonly whileSound: boolean;
  /** Whether the length of a turn says nothing: it grows with what is there. */
  readonly mayTakeLong: boolean;
}

interface JobOptions<T> {
  readonly queue: JobQueue;
  readonly schema: z.ZodType<T>;
  readonly concurrency: number;
  readonly attempts?: Partial<Attempts>;
}

const loopKey = Symbol('loop');
const jobKey = Symbol('job');
const giveUpKey = Symbol('give up');

/**
 * Runs a method repeatedly while the service is up, never concurrently with itself. The method returns true if more is
 * due now. Its errors are logged and do not stop the loop.
 *
 * @param pauseMs the pause between two turns, or a function of the settings
 */
export function Every<S extends ServiceSettings>(
  name: string,
  pauseMs: number | ((settings: S) => number),
  { whileSound: sound = false, mayTakeLong = false }: Partial<Omit<LoopOptions, 'name' | 'pauseMs'>> = {},
): MethodDecorator {
  return SetMetadata(loopKey, { name, pauseMs, whileSound: sound, mayTakeLong });
}

/**
 * Makes a method the handler of a job queue; see `workOn`. Delivery is at-least-once, so the method must be idempotent.
 */
export function OnJob<T>(
  queue: JobQueue,
  schema: z.ZodType<T>,
  options: { readonly concurrency: number; readonly attempts?: Partial<Attempts> },
): MethodDecorator {
  return SetMetadata(jobKey, { queue, schema, ...options });
}

/** Makes a method settle a job of the queue that has used up its attempts, before it becomes a dead letter. */
export function OnGiveUp(queue: JobQueue): MethodDecorator {
  return SetMetadata(giveUpKey, queue);
}

/**
 * The loops and workers of a service. Finds the methods decorated with {@link Every} and {@link OnJob}, starts them
 * once the service listens, and stops them first at shutdown, while HTTP still answers.
 *
 * BullMQ workers are created by `workOn`, not by @nestjs/bullmq: a job is validated, may be left to a newer replica,
 * waits for an unavailable store, and is paused with the clock. `WorkerHost` supports none of these.
 */
@Injectable()
export class Background implements OnModuleDestroy {
  private readonly loops: { readonly name: string; readonly loop: Running }[] = [];
  private readonly workers: JobWorker[] = [];
  private readonly ending = new AbortController();
  private stopped: Promise<void> | null = null;

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(SETTINGS) private readonly settings: ServiceSettings,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(LOG) private readonly log: Log,
    @Inject(OutboxRelay) private readonly outbox: OutboxRelay,
    @Inject(REDIS) private readonly target: RedisTarget,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(TRACES) private readonly traces: Traces | null = null,
  ) {}

  /** Aborts when the loops stop, for a turn that waits. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  start(): void {
    this.outbox.start();
    for (const { instance } of this.discovery.getProviders()) if (isObject(instance)) this.startAll(instance);
  }

  /**
   * Runs a loop. Loops may share a name: each is stopped, and a kick applies to all of them. @returns a function that
   * stops it
   */
  every(name: string, pauseMs: number, turn: Turn, mayTakeLong = false): Running {
    const loop = repeat(name, pauseMs, turn, this.log, mayTakeLong ? Infinity : longestTurnMs, this.metrics);
    this.loops.push({ name, loop });
    return loop;
  }

  /** Runs the next turn of the loops of this name immediately. */
  kick(name: string): void {
    for (const each of this.loops) if (each.name === name) each.loop.kick();
  }

  /** Rejects if a worker cannot reach its store. */
  async ready(): Promise<void> {
    if (this.workers.length === 0) throw new Error('not started yet');
    await Promise.all(this.workers.map((worker) => worker.ready()));
  }

  /** Takes no new work and finishes work in progress. A second call waits for the same end. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  private async stopAll(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.all(this.loops.map(({ loop }) => loop.stop()));
    await this.outbox.stop();
  }

  private startAll(instance: object): void {
    const methods = this.scanner
      .getAllMethodNames(Object.getPrototypeOf(instance) as object)
      .map((name): unknown => Reflect.get(instance, name))
      .filter((method) => typeof method === 'function');
    for (const method of methods) {
      const loop = metadata<LoopOptions>(loopKey, method);
      if (loop) this.startLoop(loop, () => method.call(instance) as Promise<boolean | void>);
      const job = metadata<JobOptions<unknown>>(jobKey, method);
      if (!job) continue;
      const settle = methods.find((other) => metadata<JobQueue>(giveUpKey, other) === job.queue);
      this.startWorker(
        job,
        (payload) => method.call(instance, payload) as Promise<void>,
        settle && ((payload, error) => settle.call(instance, payload, error) as Promise<void>),
      );
    }
  }

  private startLoop({ name, pauseMs, mayTakeLong, ...options }: LoopOptions, turn: Turn): void {
    const pause = typeof pauseMs === 'number' ? pauseMs : pauseMs(this.settings as never);
    this.every(name, pause, options.whileSound ? whileSound(this.clock, turn) : turn, mayTakeLong);
  }

  private startWorker(
    { queue, schema, concurrency, attempts }: JobOptions<unknown>,
    handle: (job: unknown) => Promise<void>,
    giveUp: ((job: unknown, error: unknown) => Promise<void>) | undefined,
  ): void {
    const { REALM: realm } = this.settings;
    const { target, log, clock, metrics: meter, traces } = this;
    this.workers.push(
      workOn(queue, schema, handle, {
        target,
        realm,
        log,
        clock,
        meter,
        traces,
        concurrency,
        attempts,
        giveUp,
      }),
    );
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function metadata<T>(key: symbol, method: object): T | undefined {
  return Reflect.getMetadata(key, method) as T | undefined;
}
