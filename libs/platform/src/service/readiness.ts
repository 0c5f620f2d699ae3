import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { stuckClients } from '@muster/redis';
import { version } from '@muster/domain';
import { within } from '../core/within.js';
import { loopsThatStandStill } from '../loops/loop.js';

/** A dependency. `check` rejects, or times out, when it is unavailable. */
export interface Readiness {
  readonly name: string;
  check(): Promise<unknown>;
}

/**
 * The dependencies of a service. Without a needed one it cannot work; without a helpful one some calls fail or use a
 * fallback.
 */
export class Dependencies {
  readonly needed: Readiness[] = [];
  readonly helpful: Readiness[] = [];

  add(kind: 'needed' | 'helpful', readiness: Readiness): void {
    this[kind].push(readiness);
  }
}

/** Set at shutdown: the process is no longer ready, but still answers. */
export class Draining {
  started = false;
}

const timeoutMs = 1_000;

async function answers(check: () => Promise<unknown>): Promise<string> {
  try {
    await within(timeoutMs, check());
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function answersOf(dependencies: readonly Readiness[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(dependencies.map(async ({ name, check }) => [name, await answers(check)] as const)),
  );
}

/** The answer of `/health/ready`. */
export interface ReadinessAnswer {
  readonly isReady: boolean;
  /** The release that runs. */
  readonly version: string;
  readonly status: 'ok' | 'degraded' | 'draining' | 'not ready';
  /** What each needed dependency answers. */
  readonly checks: Readonly<Record<string, string>>;
  /** What each helpful one answers. */
  readonly others: Readonly<Record<string, string>>;
}

/** Asks all dependencies. */
export async function readinessOf(
  { needed, helpful }: Dependencies,
  draining: Draining,
): Promise<ReadinessAnswer> {
  const [checks, others] = await Promise.all([answersOf(needed), answersOf(helpful)]);
  const isReady = !draining.started && allOk(checks);
  const whenReady = allOk(others) ? 'ok' : 'degraded';
  const status = draining.started ? 'draining' : isReady ? whenReady : 'not ready';
  return { isReady, version, status, checks, others };
}

const allOk = (answered: Readonly<Record<string, string>>): boolean =>
  Object.values(answered).every((said) => said === 'ok');

/**
 * The answer of `/health/live`: whether all that this process began goes on. `flaws` are what only a restart mends. A store
 * that is away does not count: a restart would not bring it back.
 */
export function liveness(now = performance.now()) {
  const flaws = [
    ...loopsThatStandStill(now).map((name) => `the loop "${name}" stands still`),
    ...stuckClients(now).map((name) => `the connection to Redis "${name}" does not come back, others do`),
  ];
  return flaws.length === 0 ? { isAlive: true, status: 'ok' } : { isAlive: false, status: 'stuck', flaws };
}

/**
 * Not `@nestjs/terminus`, which has one kind of dependency, each of which makes a service unready. Here `degraded`
 * stays 200, `draining` is 503, each check has its own time-out, and `Starting` answers in the same form before Nest
 * exists.
 *
 * `/health/live`: the event loop runs, and nothing stands still. `/health/ready`: all needed dependencies answer. Helpful ones are reported but
 * do not change the status, because another replica would lack them as well.
 */
@Controller('health')
export class HealthController {
  constructor(
    @Inject(Dependencies) private readonly dependencies: Dependencies,
    @Inject(Draining) private readonly draining: Draining,
  ) {}

  @Get('live')
  async live(@Res() reply: FastifyReply): Promise<void> {
    const { isAlive, ...answer } = liveness();
    await reply.status(isAlive ? 200 : 503).send(answer);
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const { isReady, ...answer } = await readinessOf(this.dependencies, this.draining);
    await reply.status(isReady ? 200 : 503).send(answer);
  }
}
