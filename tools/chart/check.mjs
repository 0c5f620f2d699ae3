#!/usr/bin/env node
// Checks the Helm chart without a cluster: it is linted and rendered with three sets of values, and what comes out is compared
// with files, validated with models of the Kubernetes API, and compared with the settings, ports and paths of the sources.
// `--update` rewrites the files. No API server takes part: nothing here says how a cluster behaves.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helm as findHelm, installModules, promtool as findPromtool } from './install.mjs';

const folder = import.meta.dirname;
const docker = join(folder, '../../docker');
const update = process.argv.includes('--update');
const sets = ['small', 'production', 'everything'];

installModules();
const helm = await findHelm();
const promtool = findPromtool();
// They need what was installed.
const { chart, idOf, objectsIn, ofKind, render, runHelm } = await import('./render.mjs');
const { validate } = await import('./models.mjs');
const consistency = await import('./consistency.mjs');
const { loadSources, versionOfMuster } = await import('./sources.mjs');
const { refusals } = await import('./refusals.mjs');
const { expectQuery } = await import('./prometheus.mjs');
const sources = await loadSources();

let passed = 0;
let failed = 0;
async function check(name, test) {
  try {
    await test();
    passed++;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${String(error.message).replaceAll(/^/gm, '        ')}`);
  }
}
const valuesOf = (set) => join(folder, 'values', `${set}.yaml`);

await check('the chart has the version of Muster', () => {
  const [{ version, appVersion }] = objectsIn(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  assert.deepEqual({ version, appVersion }, { version: versionOfMuster(), appVersion: versionOfMuster() });
});
for (const set of sets) {
  await check(`${set}: helm lint --strict`, () => {
    const { ok, stdout, stderr } = runHelm(helm, ['lint', '--strict', chart, '--values', valuesOf(set)]);
    assert.ok(ok, `${stdout}${stderr}`);
  });
  let rendered;
  await check(`${set}: renders as golden/${set}.yaml`, () => {
    rendered = render(helm, ['--values', valuesOf(set)]);
    const file = join(folder, 'golden', `${set}.yaml`);
    if (update) writeFileSync(file, rendered.text);
    assert.ok(existsSync(file), `${file} is missing: run with --update`);
    const differs = firstDifference(readFileSync(file, 'utf8'), rendered.text);
    assert.equal(
      differs,
      null,
      `${differs}\nIf this is wanted, run npm run test:chart -- --update and check the diff.`,
    );
  });
  if (!rendered) continue;
  const { objects } = rendered;
  await check(`${set}: ${objects.length} objects are valid`, () => {
    assert.ok(objects.length > 20);
    for (const object of objects) {
      try {
        validate(object);
      } catch (error) {
        throw new Error(`${idOf(object)}: ${error.message}`, { cause: error });
      }
    }
  });
  await check(`${set}: every variable is a setting`, () => consistency.knowsSettings(objects, sources));
  await check(`${set}: the services accept the settings`, () =>
    consistency.acceptsSettings(objects, sources),
  );
  await check(`${set}: probes ask existing paths`, () => consistency.probesExist(objects, sources));
  await check(`${set}: ports are open`, () => consistency.portsAreOpen(objects));
  await check(`${set}: selectors fit`, () => consistency.selectorsFit(objects));
  await check(`${set}: addresses exist`, () => consistency.addressesExist(objects));
  await check(`${set}: workloads are safe`, () => consistency.workloadsAreSafe(objects));
}

for (const [name, args, reason] of refusals)
  await check(`refuses ${name}`, () => {
    const { ok, stderr } = runHelm(helm, ['template', 'muster', chart, ...args]);
    assert.ok(!ok, 'it was rendered');
    assert.match(stderr.replaceAll(/\s+/g, ' '), reason);
  });

await check('parts are left out', () => {
  const off = ['edge.enabled', 'migration.enabled', 'networkPolicy.enabled'].flatMap((key) => [
    '--set',
    `${key}=false`,
  ]);
  const { objects } = render(helm, off);
  const kinds = new Set(objects.map(({ kind }) => kind));
  assert.deepEqual([...kinds].toSorted(), ['Deployment', 'PodDisruptionBudget', 'Service']);
  assert.ok(!objects.some((object) => idOf(object).includes('edge')));
});
await check('the models refuse what is wrong', () => {
  const { objects } = render(helm, ['--values', valuesOf('everything')]);
  const [deployment] = ofKind(objects, 'Deployment');
  const [scaled] = ofKind(objects, 'ScaledObject');
  assert.throws(() => validate({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } }));
  assert.throws(() => validate({ ...scaled, spec: { ...scaled.spec, triggers: 'cpu' } }));
});

const figureNames = Object.values(sources.figures).map(({ name }) => name);
const queriesOf = () =>
  ofKind(render(helm, ['--values', valuesOf('everything')]).objects, 'ScaledObject').flatMap(
    ({ metadata, spec }) =>
      spec.triggers
        .filter(({ type }) => type === 'prometheus')
        .map(({ name, metadata: { query } }) => ({ of: `${metadata.name}: ${name}`, query })),
  );
await check('queries name existing figures and job queues', () => {
  const queries = queriesOf().map(({ query }) => query);
  const named = queries.flatMap((text) => text.match(/\bmuster_\w+/g) ?? []);
  assert.deepEqual(
    named.filter((name) => !figureNames.includes(name)),
    [],
  );
  const jobs = queries.flatMap((text) =>
    [...text.matchAll(/job_queue=~"([^"]+)"/g)].flatMap(([, list]) => list.split('|')),
  );
  const known = Object.values(sources.jobQueues);
  assert.deepEqual(
    jobs.filter((name) => !known.includes(name)),
    [],
  );
  assert.ok(jobs.length > 5 && named.length > 4);
});
await check('the rules of the chart are those of docker/prometheus', () => {
  assert.equal(
    readFileSync(join(chart, 'files/rules.yaml'), 'utf8'),
    readFileSync(join(docker, 'prometheus/rules.yaml'), 'utf8'),
  );
});
if (promtool === null) {
  console.log(
    'skipped promtool is not on the PATH, and only root can install it (apt-get install prometheus): 1 check',
  );
} else {
  await check('the queries of KEDA answer one number', () => {
    const labels = 'cluster="eu",namespace="games"';
    const jobQueues = ['ticket-news', 'form-teams', 'place-match', 'rate-match'];
    // Two replicas state the same; another installation states more.
    const series = Object.fromEntries([
      ...['a', 'b'].flatMap((pod) => [
        ...jobQueues.map((name) => [
          `muster_oldest_job_seconds{${labels},pod="${pod}",job_queue="${name}"}`,
          '7x10',
        ]),
        [`muster_oldest_ticket_seconds{${labels},pod="${pod}",queue="1v1"}`, '40x10'],
        [`muster_oldest_ticket_seconds{${labels},pod="${pod}",queue="5v5"}`, '90x10'],
        [`muster_tickets_waiting{${labels},pod="${pod}",queue="1v1"}`, '100x10'],
        [`muster_tickets_waiting{${labels},pod="${pod}",queue="5v5"}`, '500x10'],
      ]),
      ['muster_tickets_waiting{cluster="us",namespace="games",queue="5v5"}', '9000x10'],
      [`muster_oldest_job_seconds{${labels},pod="a",job_queue="other"}`, '900x10'],
    ]);
    const expected = { 'oldest-job': 7, 'oldest-ticket': 90, 'tickets-waiting': 600 };
    const queries = queriesOf();
    assert.equal(queries.length, 5);
    for (const { of, query } of queries) expectQuery(promtool, query, series, expected[of.split(': ')[1]]);
    // Without an answer KEDA uses its fallback.
    for (const { query } of queries) expectQuery(promtool, query, { 'up{job="x"}': '1x10' }, null);
  });
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The first line that differs, with its number; null for equal texts. */
function firstDifference(before, now) {
  const [a, b] = [before.split('\n'), now.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  if (at < 0 && a.length === b.length) return null;
  const line = at < 0 ? a.length : at;
  return `line ${line + 1}\n- ${a[line] ?? '(end)'}\n+ ${b[line] ?? '(end)'}`;
}
