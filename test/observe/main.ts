// `npm run test:observe`: a real Prometheus with the rules of docker/prometheus scrapes the demo, its services and its edge.
// promtool tests every rule; each panel of the board has data; 10,000 tickets of 5,000 players leave few series. A receiver of OTLP
// sees one ticket as one trace, through a kill -9 of a service.
import { freePort } from '@muster/embedded';
import { OtlpReceiver } from '@muster/testing';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { provoke, provoked, provokedEnv } from './provoke.js';
import { Prometheus } from './prometheus.js';
import { ruleTests } from './rule-tests.js';
import { queueTickets, startFleet } from './tickets.js';
import { traceOneTicket, tracingTo } from './traced-ticket.js';
import { Checks, endWithin, soon } from '../support/checks.js';
import { Stack } from '../support/stack.js';

const rulesFile = resolve('docker/prometheus/rules.yaml');
const boardFile = 'docker/grafana/generated/muster.json';
/** Of one process. */
const mostSeries = 2_000;
const load = { players: 5_000, tickets: 10_000 };
/** The whole test ends within this time. */
const limitMs = 300_000;

const Board = z.object({
  panels: z.array(
    z.looseObject({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

for (const program of ['prometheus', 'promtool'])
  if (spawnSync(program, ['--version']).status !== 0) {
    process.stderr.write(
      `There is no ${program} on the PATH. Install it: apt-get install prometheus, or https://prometheus.io/download/.\n`,
    );
    process.exit(1);
  }

const checks = new Checks();
const { stops, stopAll } = endWithin(limitMs);

function promtool(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim());
}

async function observe(): Promise<void> {
  const edgePort = await freePort(0);
  const receiver = await OtlpReceiver.start();
  // Of two options the last one counts.
  const stack = await Stack.start(
    ['--demo', 'queue', '--players', '40', '--servers', '3', '--log-level', 'warn'],
    { env: { EDGE_METRICS_PORT: String(edgePort), ...provokedEnv, ...tracingTo(receiver) } },
  );
  stops.push(
    () => stack.stop(),
    () => receiver.stop(),
  );
  const at = (port: number): string => `127.0.0.1:${port}`;
  const targets = Object.fromEntries(
    stack.run.replicas.map(({ service, httpPort }) => [service, [at(httpPort)]]),
  );
  const prometheus = await Prometheus.start(await freePort(0), { ...targets, edge: [at(edgePort)] });
  stops.unshift(() => prometheus.stop());

  await checks.run('four services and the edge are scraped', () =>
    soon(async () => {
      const active = await prometheus.targets();
      return active.length === 5
        ? active.filter(({ health }) => health !== 'up').map((each) => JSON.stringify(each))
        : [`${active.length} targets`];
    }),
  );
  await checks.run('matches of the demo are rated', () =>
    soon(async () => {
      const rated = await prometheus.query('sum(muster_matches_rated_total{outcome="rated"})');
      return (rated[0]?.value ?? 0) >= 10 ? [] : [`rated so far: ${JSON.stringify(rated)}`];
    }),
  );
  await checks.run('what is provoked is counted', async () => {
    stops.unshift(await provoke(stack));
    await soon(async () => {
      const values = await Promise.all(
        provoked.map(async (expr) => [expr, await prometheus.query(expr)] as const),
      );
      return values.filter(([, [first]]) => !((first?.value ?? 0) > 0)).map(([expr]) => expr);
    });
  });
  const fleet = await startFleet(stack);
  stops.unshift(() => fleet.stop());
  await checks.run(`${load.tickets} tickets of ${load.players} players leave few series`, async () => {
    await queueTickets(stack, load);
    await soon(async () => {
      const rated = await prometheus.query('sum(muster_matches_rated_total{outcome="rated"})');
      return (rated[0]?.value ?? 0) >= load.tickets / 20 ? [] : [`rated so far: ${JSON.stringify(rated)}`];
    });
    const series = await prometheus.query('count by (service) ({job="muster",__name__=~".+"})');
    console.log(
      `        ${series.map(({ labels: { service = '' }, value }) => `${service} ${value}`).join(', ')}`,
    );
    const wrong = series.filter(({ value }) => value >= mostSeries);
    if (series.length !== 5 || wrong.length > 0) throw new Error(JSON.stringify(series));
  });
  await checks.run('every rule evaluates', () =>
    soon(async () => {
      const rules = await prometheus.rules();
      if (rules.length === 0) return ['there are no rules'];
      return rules.filter(({ health }) => health !== 'ok').map((rule) => JSON.stringify(rule));
    }),
  );
  const { panels } = Board.parse(JSON.parse(readFileSync(boardFile, 'utf8')));
  const shown = panels.filter(({ targets: all = [] }) => all.length > 0);
  const expressions = shown.flatMap(({ title, targets: all = [] }) =>
    all.map(({ expr }) => ({ title, expr: withoutVariables(expr) })),
  );
  await checks.run(`${expressions.length} expressions of ${shown.length} panels have data`, () =>
    soon(async () => {
      const empty = [];
      for (const { title, expr } of expressions) {
        const values = await prometheus.query(expr);
        if (!values.some(({ value }) => Number.isFinite(value))) empty.push(`${title}: ${expr}`);
      }
      return expressions.length > 50 ? empty : ['the board is nearly empty'];
    }),
  );
  await checks.run('no service is missing, by the alerts', async () => {
    const firing = (await prometheus.rules())
      .filter(({ state }) => state === 'firing')
      .map(({ name }) => name);
    const wrong = firing.filter((name) => /NotScraped|ReplicaAway|SourceAway|Invariant|Loops/.test(name));
    if (wrong.length > 0) throw new Error(wrong.join(', '));
  });
  await checks.run('one ticket is one trace from POST to rated, through a kill -9 of the allocator', () =>
    traceOneTicket(stack, receiver, 'allocator'),
  );
}

/** An expression as Grafana sends it, over all queues and the time of this test. */
const withoutVariables = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '4m').replaceAll(/\$(queue|namespace)/g, '.*');

await checks.run('promtool accepts the rules', async () => promtool('check', 'rules', rulesFile));
await checks.run('each alert fires when it should, and is silent otherwise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-rules-'));
  try {
    const file = join(folder, 'tests.yaml');
    writeFileSync(file, ruleTests(rulesFile));
    promtool('test', 'rules', file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
try {
  await observe();
} catch (error) {
  checks.fail('the system starts', error);
}
await stopAll();
console.log(checks.line);
process.exit(checks.failed === 0 ? 0 : 1);
