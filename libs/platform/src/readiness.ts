import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Something that a service cannot work without. `check` rejects, or takes too long, when it is away. */
export interface Readiness {
  readonly name: string;
  check(): Promise<unknown>;
}

/** Injection token for the list of a service's `Readiness`. */
export const READINESS = Symbol('readiness');

/** Set once the process has been told to end: it still answers, but wants no new work. */
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

/** `/health/live`: the process turns. `/health/ready`: everything it needs answers right now. */
@Controller('health')
export class HealthController {
  constructor(
    @Inject(READINESS) private readonly needs: readonly Readiness[],
    @Inject(Draining) private readonly draining: Draining,
  ) {}

  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const checks = Object.fromEntries(
      await Promise.all(this.needs.map(async ({ name, check }) => [name, await answers(check)] as const)),
    );
    const healthy = !this.draining.started && Object.values(checks).every((said) => said === 'ok');
    const status = this.draining.started ? 'draining' : healthy ? 'ok' : 'not ready';
    await reply.status(healthy ? 200 : 503).send({ status, checks });
  }
}
