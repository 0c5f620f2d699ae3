import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Background } from './background.js';
import type { ServiceSettings } from '../core/config.js';
import { limitConnections } from '../http/connection-limit.js';
import { listenBacklog } from '../http/http-server.js';
import type { Log } from '../core/logging.js';
import { Metrics } from '../metrics/metrics.js';
import { httpConnectionsSource } from '../metrics/platform-sources.js';
import { SharedBuckets } from '../limits/shared-buckets.js';
import { OpenCalls } from '../http/open-calls.js';
import { Dependencies, Draining, readinessOf, type ReadinessAnswer } from './readiness.js';
import { SharedClock } from '../loops/shared-clock.js';
import type { OpenTraces } from '../traces/open-traces.js';

/** The time limit for calls in progress at shutdown, in milliseconds. */
const finishMs = 2_000;
/** The interval at which the stores' clocks are read. */
const clockReadMs = 1_000;
/** The interval at which replicas tell each other what callers took from their limits. */
const shareMs = 100;

/** A service whose stores answer. Its process decides where it listens, and when it works and ends. */
export class OpenService {
  constructor(
    readonly name: string,
    private readonly app: NestFastifyApplication,
    private readonly settings: ServiceSettings,
    private readonly log: Log,
    private readonly traces: OpenTraces | null,
  ) {}

  /** Listens on the port of its settings. */
  async listen(): Promise<void> {
    const { HTTP_PORT: port, HTTP_HOST: host } = this.settings;
    await this.app.startAllMicroservices();
    limitConnections(this.app.getHttpServer());
    this.app.get(Metrics).add(httpConnectionsSource(this.name, this.app.getHttpServer()));
    await this.app.listen({ port, host, backlog: listenBacklog });
  }

  /** Takes calls from {@link handle} instead of a port. */
  async prepare(): Promise<void> {
    await this.app.startAllMicroservices();
    await this.app.init();
    await this.app.getHttpAdapter().getInstance().ready();
  }

  /** Answers a call that another server of this process accepted. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.app.getHttpAdapter().getInstance().routing(request, response);
  }

  url(): Promise<string> {
    return this.app.getUrl();
  }

  /** Starts loops and workers. */
  start(): void {
    const clock = this.app.get(SharedClock);
    logClockChanges(clock, this.log);
    this.app.get(Background).every('clock', clockReadMs, () => clock.measure());
    const { rates } = this.settings.RATE_LIMITS;
    if (rates)
      this.app.get(Background).every('rate limits', shareMs, () => this.app.get(SharedBuckets).share());
    this.app.get(Background).start();
  }

  readiness(): Promise<ReadinessAnswer> {
    return readinessOf(this.app.get(Dependencies), this.app.get(Draining));
  }

  /** Reports "not ready" from now on, and closes each connection after its answer. */
  drain(): void {
    this.app.get(Draining).started = true;
  }

  /** Ends streams and long polls, and finishes jobs and loops in progress. Calls are still answered. */
  async finish(): Promise<void> {
    this.app.get(OpenCalls).endAll();
    await this.app.get(Background).stop();
  }

  /** Finishes calls in progress within a time limit, then closes everything. */
  async close(): Promise<void> {
    await closeWithin(this.app.getHttpServer(), () => this.app.close());
    await this.traces?.close();
  }
}

/** Closes a server: finishes calls in progress within a time limit, and closes idle connections. */
export async function closeWithin(
  server: Pick<Server, 'closeIdleConnections' | 'closeAllConnections'>,
  close: () => Promise<void>,
): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const rest = setTimeout(() => server.closeAllConnections(), finishMs);
  try {
    await close();
  } finally {
    clearInterval(idle);
    clearTimeout(rest);
  }
}

/** Logs when the machine's clock becomes wrong or correct. */
function logClockChanges(clock: SharedClock, log: Log): void {
  const logState = (): void => {
    const { skewMs } = clock;
    if (clock.sound)
      log.info({ skewMs }, 'the clock of this machine is correct again: this replica resumes work');
    else
      log.error(
        { skewMs },
        `${clock.problem}; meanwhile this replica leaves leases, sweeps and jobs to others`,
      );
  };
  clock.onChange(logState);
  if (!clock.sound) logState();
}
