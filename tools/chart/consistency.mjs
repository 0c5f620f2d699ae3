// What must hold between the objects of one rendering. Each check throws with what is wrong.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOf, ofKind, selects, workloadsIn } from './render.mjs';
import { edgePathsOf, namesOf, pathsOf } from './sources.mjs';

const services = ['queue', 'assignment', 'allocator', 'rating'];

/** Every environment variable is a setting that the program reads. */
export function knowsSettings(objects, sources) {
  for (const { id, component, env } of workloadsIn(objects)) {
    const known = component === 'migration' ? new Set(['DATABASE_URL']) : namesOf(sources[component]);
    // What a setting refers to as $(NAME) is none itself.
    const used = [...env.values()].map(({ value = '' }) => value).join(' ');
    const unknown = [...env.keys()].filter((name) => !known.has(name) && !used.includes(`$(${name})`));
    // Settings for all services may be of one alone.
    const ofAnother = (name) =>
      component !== 'edge' && services.some((each) => namesOf(sources[each]).has(name));
    assert.deepEqual(
      unknown.filter((name) => !ofAnother(name)),
      [],
      `${id}: unknown settings`,
    );
  }
}

/** Texts in place of secrets that must have a form. */
const secrets = {
  DATABASE_URL: 'postgresql://muster:secret@postgres:5432/muster',
  REDIS_URL: 'redis://redis:6379',
};

/** The services accept the values, with files in place of what is mounted. */
export function acceptsSettings(objects, sources) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-chart-'));
  try {
    const key = join(folder, 'key');
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    // One text that stands for a key of the coordinator, for the keys of a login and for any secret.
    writeFileSync(key, JSON.stringify({ ...jwk, keys: [{ kty: jwk.kty, crv: jwk.crv, x: jwk.x }] }));
    const mounted = new Map([
      ['/etc/muster/rules/queues.yaml', join(folder, 'queues.yaml')],
      ['@/etc/muster/logins/logins.yaml', `@${join(folder, 'logins.yaml')}`],
    ]);
    for (const { data } of ofKind(objects, 'ConfigMap'))
      for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), text);
    for (const { id, component, env } of workloadsIn(objects)) {
      if (component === 'migration') continue;
      const values = Object.fromEntries(
        [...env].map(([name, { value }]) => {
          if (value === undefined) return [name, secrets[name] ?? 'from-a-secret'];
          if (value.startsWith('@/etc/muster/keys/')) return [name, `@${key}`];
          return [name, mounted.get(value) ?? value];
        }),
      );
      const read = sources[component].safeParse(values);
      assert.deepEqual(read.error?.issues ?? [], [], `${id}: settings that it refuses`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Probes ask paths that the program answers, at a port that it opens. */
export function probesExist(objects, sources) {
  const ofServices = pathsOf(sources.HealthController, sources.MetricsController);
  const ofEdge = edgePathsOf(sources.addHealth);
  for (const { id, component, container, ports, object } of workloadsIn(objects)) {
    if (component === 'migration') continue;
    const paths = component === 'edge' ? ofEdge : ofServices;
    for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[name].httpGet;
      assert.ok(paths.includes(path), `${id}: ${name} asks ${path}; there is ${paths.join(', ')}`);
      assert.ok(ports.has(port), `${id}: ${name} asks port ${port}`);
    }
    const annotations = object.spec.template.metadata.annotations ?? {};
    const scraped = annotations['prometheus.io/path'];
    if (scraped === undefined) continue;
    assert.ok(ofServices.includes(scraped), `${id}: Prometheus is sent to ${scraped}`);
    const port = Number(annotations['prometheus.io/port']);
    assert.ok([...ports.values()].includes(port), `${id}: Prometheus is sent to port ${port}`);
  }
  for (const { spec } of ofKind(objects, 'ServiceMonitor'))
    for (const { path } of spec.endpoints)
      assert.ok(ofServices.includes(path), `Prometheus is sent to ${path}`);
}

/** Ports of containers are those that the settings open. */
export function portsAreOpen(objects) {
  const settings = {
    http: ['HTTP_PORT', 'EDGE_PORT'],
    grpc: ['GRPC_PORT'],
    lines: ['TCP_PORT'],
    metrics: ['EDGE_METRICS_PORT'],
  };
  for (const { id, ports, env } of workloadsIn(objects))
    for (const [name, port] of ports) {
      const opened = settings[name].map((setting) => env.get(setting)?.value).find(Boolean);
      assert.equal(opened, String(port), `${id}: port ${name}`);
    }
}

/** Selectors select the pods of one workload, and ports exist there. */
export function selectorsFit(objects) {
  const workloads = workloadsIn(objects);
  const selected = (selector) => workloads.filter(({ labels }) => selects(selector, labels));
  for (const service of ofKind(objects, 'Service')) {
    const found = selected({ matchLabels: service.spec.selector });
    assert.equal(found.length, 1, `${idOf(service)} selects ${found.length} workloads`);
    for (const { targetPort } of service.spec.ports)
      assert.ok(found[0].ports.has(targetPort), `${idOf(service)}: port ${targetPort}`);
  }
  const ofDeployments = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'PodDisruptionBudget')];
  for (const object of ofDeployments)
    assert.equal(selected(object.spec.selector).length, 1, `${idOf(object)}: selector`);
  for (const object of ofKind(objects, 'NetworkPolicy')) {
    const found = selected(object.spec.podSelector);
    assert.equal(found.length, 1, `${idOf(object)}: podSelector`);
    for (const { ports } of object.spec.ingress ?? [])
      for (const { port } of ports) assert.ok(found[0].ports.has(port), `${idOf(object)}: port ${port}`);
    const peers = [...(object.spec.ingress ?? []), ...(object.spec.egress ?? [])].flatMap(
      ({ from = [], to = [] }) => [...from, ...to],
    );
    for (const { podSelector, namespaceSelector } of peers)
      if (podSelector && !namespaceSelector)
        assert.ok(selected(podSelector).length > 0, `${idOf(object)}: a peer that does not exist`);
  }
  for (const { spec } of ofKind(objects, 'ServiceMonitor')) {
    const found = ofKind(objects, 'Service').filter(({ metadata }) =>
      selects(spec.selector, metadata.labels),
    );
    const scraped = found.map((service) => service.spec.selector['app.kubernetes.io/component']);
    const all = ofKind(objects, 'Deployment').map(
      ({ spec: { selector } }) => selector.matchLabels['app.kubernetes.io/component'],
    );
    assert.deepEqual(scraped.toSorted(), all.toSorted(), 'Prometheus scrapes each service and the edge once');
  }
}

/** Addresses between services are Services of this rendering, and gRPC is allowed from the callers alone. */
export function addressesExist(objects) {
  const byName = new Map(ofKind(objects, 'Service').map((service) => [service.metadata.name, service]));
  const portOf = (address, scheme) => {
    const [, host = '', port] = new RegExp(`^${scheme}([^:]+):([0-9]+)$`).exec(address) ?? [];
    const service = byName.get(host);
    assert.ok(service, `${address}: there is no such Service`);
    assert.ok(
      service.spec.ports.some((each) => String(each.port) === port),
      `${address}: no such port`,
    );
    return service;
  };
  for (const { env, component } of workloadsIn(objects)) {
    for (const name of ['RATING_GRPC', 'ASSIGNMENT_GRPC', 'ALLOCATOR_GRPC']) {
      const address = env.get(name)?.value;
      if (address === undefined) continue;
      const service = portOf(address, 'dns:///');
      assert.equal(service.spec.clusterIP, 'None', `${address} resolves to each pod`);
      const policy = ofKind(objects, 'NetworkPolicy').find(({ spec }) =>
        selects(spec.podSelector, service.spec.selector),
      );
      if (!policy) continue;
      const callers = policy.spec.ingress
        .filter(({ ports }) => ports.some(({ port }) => port === 'grpc'))
        .flatMap(({ from }) =>
          from.map(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component']),
        );
      assert.ok(callers.includes(component), `${policy.metadata.name} lets ${component} call`);
    }
    const upstreams = JSON.parse(env.get('EDGE_UPSTREAMS')?.value ?? '{}');
    for (const address of Object.values(upstreams).flat()) portOf(address, 'http://');
  }
  for (const { spec } of ofKind(objects, 'Ingress'))
    for (const { http } of spec.rules)
      for (const { backend } of http.paths)
        assert.ok(
          byName.get(backend.service.name)?.spec.ports.some(({ name }) => name === backend.service.port.name),
          'the ingress leads to a Service',
        );
}

/** Each workload has the time that its drain takes, runs without rights, and is scaled once. */
export function workloadsAreSafe(objects) {
  const deployments = new Map(ofKind(objects, 'Deployment').map((object) => [object.metadata.name, object]));
  for (const { id, env, spec, container } of workloadsIn(objects)) {
    const ms = (name) => Number(env.get(name)?.value ?? 0);
    const needed =
      (ms('DRAIN_PAUSE_MS') + ms('DRAIN_LIMIT_MS') + ms('EDGE_DRAIN_MS')) / 1000 +
      (container.lifecycle?.preStop.sleep.seconds ?? 0);
    if (needed > 0)
      assert.ok(spec.terminationGracePeriodSeconds >= needed + 2, `${id}: the drain takes ${needed} s`);
    assert.equal(spec.securityContext.runAsNonRoot, true, id);
    assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault', id);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true, id);
    assert.equal(container.securityContext.allowPrivilegeEscalation, false, id);
    assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] }, id);
    assert.equal(new Set(container.env.map(({ name }) => name)).size, container.env.length, `${id}: env`);
  }
  const scalers = [...ofKind(objects, 'HorizontalPodAutoscaler'), ...ofKind(objects, 'ScaledObject')];
  const targets = scalers.map(({ spec }) => spec.scaleTargetRef.name);
  assert.equal(new Set(targets).size, targets.length, 'a Deployment is scaled by one');
  for (const target of targets) assert.ok(deployments.has(target), `${target} is scaled and does not exist`);
  for (const [name, { spec }] of deployments)
    assert.equal(spec.replicas === undefined, targets.includes(name), `${name}: replicas or a scaler`);
  assert.deepEqual(ofKind(objects, 'Secret'), [], 'the chart makes no Secret');
}
