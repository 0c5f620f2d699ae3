import { playerToken } from '@muster/embedded';
import { OperatorClient, PlayerClient } from '@muster/sdk';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Container, Daemon } from './daemon.js';

export const services = ['queue', 'assignment', 'allocator', 'rating'] as const;
const project = 'muster-test';
const passwords = { POSTGRES_PASSWORD: 'pgtest', REDIS_PASSWORD: 'redistest' };
/** Short times, as in the kill test, so that a fault is over within seconds. */
const settings = { SILENCE_MS: '20000', ANSWER_MS: '3000', PROPOSAL_LEASE_MS: '3000', LOG_LEVEL: 'warn' };

/** What `docker/compose.yaml` is told here: base images of the test, and builds that reach the npm registry. */
function overrides(proxy: string, registry: string): object {
  const build = {
    network: 'host',
    args: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NPM_CONFIG_REGISTRY: registry },
  };
  const built = ['keys', 'migrate', 'muster', 'demo', 'edge'].map((name) => [name, { build }]);
  const tuned = services.map((name) => [name, { build, environment: settings }]);
  return { services: Object.fromEntries([...built, ...tuned]) };
}

/** Muster as `docker/compose.yaml` runs it. */
export class Installation {
  readonly url: string;
  /** The addresses of the stores, from `readStores`. */
  run = { databaseUrl: '', redisUrl: '' };
  keys = { login: '', serverKey: '', operatorKey: '' };

  constructor(
    readonly daemon: Daemon,
    private readonly checkout: string,
    private readonly port = 8080,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  compose(args: readonly string[], limitMs = 300_000): Promise<string> {
    const files = [join(this.checkout, 'docker/compose.yaml'), join(this.daemon.folder, 'compose.test.json')];
    return this.daemon.compose([...files.flatMap((file) => ['-f', file]), '-p', project, ...args], {
      limitMs,
      env: {
        MUSTER_VERSION: 'test',
        MUSTER_PORT: String(this.port),
        NODE_IMAGE: 'muster-test/node',
        VALKEY_IMAGE: 'muster-test/valkey',
        POSTGRES_IMAGE: 'muster-test/postgres',
        HAPROXY_IMAGE: 'muster-test/haproxy',
        ...passwords,
      },
    });
  }

  /** Writes what is changed of compose.yaml. @param proxy leads builds to the npm registry */
  prepare(proxy: string, registry: string): void {
    mkdirSync(this.daemon.folder, { recursive: true });
    writeFileSync(join(this.daemon.folder, 'compose.test.json'), JSON.stringify(overrides(proxy, registry)));
  }

  containers(service?: string): Promise<Container[]> {
    return this.daemon.containers(project, service);
  }

  /** Everything but what ends by itself. */
  async lasting(): Promise<Container[]> {
    const all = await this.containers();
    return all.filter(({ Config }) => !['keys', 'migrate', 'demo'].includes(serviceOf(Config.Labels)));
  }

  /** Waits until every container with a health check is healthy. @throws Error with their states */
  async healthy(limitMs = 180_000): Promise<void> {
    const until = Date.now() + limitMs;
    for (;;) {
      const all = await this.lasting();
      const ill = all.filter(({ State }) => State.Status !== 'running' || State.Health?.Status !== 'healthy');
      if (all.length > 0 && ill.length === 0) return;
      if (Date.now() > until) throw new Error(`not healthy in time: ${await this.describe(ill)}`);
      await pause(500);
    }
  }

  private async describe(containers: readonly Container[]): Promise<string> {
    const lines = await Promise.all(
      containers.map(async ({ Id, Name, State }) => {
        const { all } = await this.daemon.attempt(['logs', '--tail', '8', Id]);
        return `${Name} is ${State.Status}, ${State.Health?.Status ?? 'without health'}:\n${all}`;
      }),
    );
    return lines.join('\n');
  }

  /** Reads the keys that `muster keys` made. */
  async readKeys(): Promise<void> {
    const read = async (file: string): Promise<string> => {
      const script = `process.stdout.write(require('node:fs').readFileSync('/muster/keys/${file}','utf8').trim())`;
      const [queue] = await this.containers('queue');
      return this.daemon.run(['exec', queue?.Id ?? '', 'node', '-e', script]);
    };
    this.keys = {
      login: await read('login.jwk'),
      serverKey: await read('server.key'),
      operatorKey: await read('operator.key'),
    };
  }

  /** Finds the stores. Their addresses change when they start again. */
  async readStores(): Promise<void> {
    const address = async (service: string): Promise<string> => {
      const [container] = await this.containers(service);
      return Object.values(container?.NetworkSettings.Networks ?? {})[0]?.IPAddress ?? '';
    };
    this.run = {
      databaseUrl: `postgresql://muster:${passwords.POSTGRES_PASSWORD}@${await address('postgres')}:5432/muster`,
      redisUrl: `redis://:${passwords.REDIS_PASSWORD}@${await address('valkey')}:6379`,
    };
  }

  get operator(): OperatorClient {
    return new OperatorClient({ url: this.url, operatorKey: this.keys.operatorKey });
  }

  async player(playerId: string): Promise<PlayerClient> {
    return new PlayerClient({ url: this.url, token: await playerToken(this.keys.login, playerId) });
  }
}

export const serviceOf = (labels: Readonly<Record<string, string>>): string =>
  labels['com.docker.compose.service'] ?? '';
