import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Something that a service uses. `check` rejects, or takes too long, when it is away. */
export interface Readiness {
  readonly name: string;
  check(): Promise<unknown>;
}

/** What a service uses: without a needed one it cannot work at all; without a helpful one some calls fail or have a fallback. */
export class Dependencies {
  readonly needed: Readiness[] = [];
  readonly helpful: Readiness[] = [];

  add(kind: 'needed' | 'helpful', readiness: Readiness): void {
    this[kind].push(readiness);
  }
}

/** Set once the process has been told to end: it is not ready any more, and still answers. */
export class Draining {
  started = false;
}

const patienceMs = 1_000;

async function answers(check: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${patienceMs} ms`), patienceMs);
  });
  try {
    return await Promise.race([check().then(() => 'ok'), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

async function answersOf(dependencies: readonly Readiness[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(dependencies.map(async ({ name, check }) => [name, await answers(check)] as const)),
  );
}

const allOk = (answered: Readonly<Record<string, string>>): boolean =>
  Object.values(answered).every((said) => said === 'ok');

/**
 * Not `@nestjs/terminus`: its answer has one kind of dependency, all of which make a service unready. Here `degraded` stays 200
 * and `draining` is 503, each check has a limit of its own, and `Starting` answers in the same form before Nest exists.
 *
 * `/health/live`: the process turns. `/health/ready`: everything that it cannot work without answers right now. What else it
 * uses is reported and changes nothing: another replica would miss it as well.
 */
@Controller('health')
export class HealthController {
  constructor(
    @Inject(Dependencies) private readonly dependencies: Dependencies,
    @Inject(Draining) private readonly draining: Draining,
  ) {}

  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const { needed, helpful } = this.dependencies;
    const [checks, others] = await Promise.all([answersOf(needed), answersOf(helpful)]);
    const isReady = !this.draining.started && allOk(checks);
    const whenReady = allOk(others) ? 'ok' : 'degraded';
    const status = this.draining.started ? 'draining' : isReady ? whenReady : 'not ready';
    await reply.status(isReady ? 200 : 503).send({ status, checks, others });
  }
}
