import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

/** What is scraped: the names that Compose knows, and where they are now. */
export type Targets = Readonly<Record<string, readonly string[]>>;

const Answer = z.object({ status: z.string(), error: z.string().optional(), data: z.unknown() });
const Vector = z.object({
  resultType: z.enum(['vector', 'scalar']),
  result: z.array(
    z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
  ),
});
const ActiveTargets = z.object({
  activeTargets: z.array(
    z.object({ scrapeUrl: z.string(), health: z.string(), lastError: z.string().optional() }),
  ),
});
const RuleGroups = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          name: z.string(),
          query: z.string(),
          health: z.string(),
          lastError: z.string().optional(),
          state: z.string(),
        }),
      ),
    }),
  ),
});

const Config = z.looseObject({
  global: z.looseObject({ scrape_interval: z.string() }),
  rule_files: z.array(z.string()),
  scrape_configs: z.array(z.looseObject({ dns_sd_configs: z.array(z.unknown()) })).length(1),
});

/** A Prometheus with the configuration of docker/prometheus, but for where it finds processes and how often it asks. */
export class Prometheus {
  private constructor(
    private readonly url: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(port: number, targets: Targets): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'muster-prometheus-'));
    const read = Config.parse(parse(await readFile('docker/prometheus/prometheus.yml', 'utf8')));
    const found = Object.entries(targets).map(([name, of]) => ({
      targets: of,
      labels: { __meta_dns_name: name },
    }));
    const config = {
      ...read,
      global: { ...read.global, scrape_interval: '2s', evaluation_interval: '2s' },
      rule_files: read.rule_files.map((path) => resolve('docker/prometheus', path)),
      scrape_configs: read.scrape_configs.map((scrape) => ({
        ...scrape,
        dns_sd_configs: [],
        static_configs: found,
      })),
    };
    const file = join(folder, 'prometheus.yml');
    await writeFile(file, stringify(config));
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.on('data', (data: Buffer) => (said += data.toString()));
    const abandon = (): void => void child.kill('SIGKILL');
    process.once('exit', abandon);
    const ended = once(child, 'exit');
    const started = new Prometheus(`http://127.0.0.1:${port}`, async () => {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', abandon);
      await rm(folder, { recursive: true, force: true });
    });
    while (!(await fetch(`${started.url}/-/ready`).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error(`prometheus ended: ${said}`);
      await pause(100);
    }
    return started;
  }

  /** The values of an expression now. @throws Error with what is wrong with the expression */
  async query(expr: string): Promise<{ labels: Readonly<Record<string, string>>; value: number }[]> {
    const { result } = Vector.parse(
      await this.ask(`query?${new URLSearchParams({ query: expr }).toString()}`),
    );
    return result.map(({ metric, value: [, text] }) => ({ labels: metric, value: Number(text) }));
  }

  async targets(): Promise<z.infer<typeof ActiveTargets>['activeTargets']> {
    return ActiveTargets.parse(await this.ask('targets')).activeTargets;
  }

  async rules(): Promise<z.infer<typeof RuleGroups>['groups'][number]['rules']> {
    return RuleGroups.parse(await this.ask('rules')).groups.flatMap(({ rules }) => rules);
  }

  stop(): Promise<void> {
    return this.end();
  }

  private async ask(path: string): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const { status, error, data } = Answer.parse(await response.json());
    if (status !== 'success') throw new Error(error);
    return data;
  }
}
