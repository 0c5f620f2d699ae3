import { checkout } from '@muster/embedded';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const services = ['queue', 'assignment', 'allocator', 'rating'];
const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

const Networks = z.union([
  z.array(z.string()).transform((names) => new Map(names.map((name) => [name, [] as string[]]))),
  z
    .record(z.string(), z.object({ aliases: z.array(z.string()).default([]) }).nullable())
    .transform((all) => new Map(Object.entries(all).map(([name, each]) => [name, each?.aliases ?? []]))),
]);
const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({ networks: Networks.optional(), environment: z.record(z.string(), z.unknown()).default({}) }),
  ),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() }).nullable()),
});
const compose = Compose.parse(parse(read('docker/compose.yaml'), { merge: true }));
const networksOf = (name: string): ReadonlyMap<string, readonly string[]> =>
  compose.services[name]?.networks ?? new Map();

/** Who is in one of the networks beside a container. */
function beside(name: string, networks: Iterable<string>): string[] {
  const shared = [...networks];
  return sorted(
    Object.keys(compose.services).filter(
      (other) => other !== name && shared.some((network) => networksOf(other).has(network)),
    ),
  );
}

/** Who reaches a container's gRPC: it listens in the networks in which its `GRPC_HOST` is a name of its own. */
function grpcCallersIn(name: string): string[] {
  const host = compose.services[name]?.environment['GRPC_HOST'];
  const own = [...networksOf(name)].filter(([, aliases]) => aliases.some((alias) => alias === host));
  expect(own, `${name} listens for gRPC at ${String(host)}`).toHaveLength(1);
  return beside(
    name,
    own.map(([network]) => network),
  );
}

const component = 'app.kubernetes.io/component';
const Peer = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()).optional() }).optional(),
  namespaceSelector: z.unknown().optional(),
});
const Rule = z.object({
  ports: z.array(z.object({ port: z.union([z.string(), z.number()]) })),
  from: z.array(Peer).default([]),
  to: z.array(Peer).default([]),
});
const Policy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.object({
    podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    ingress: z.array(Rule).default([]),
    egress: z.array(Rule).default([]),
  }),
});
const policies = new Map(
  parseAllDocuments(read('tools/chart/golden/production.yaml')).flatMap((document) => {
    const policy = Policy.safeParse(document.toJS());
    if (!policy.success) return [];
    const { spec } = policy.data;
    return [[spec.podSelector.matchLabels[component] ?? '', spec] as const];
  }),
);

/** Which of Muster's processes the chart lets reach a port; a peer of another namespace is `outside`. */
function callersOf(name: string, port: string): string[] {
  const rules = policies.get(name)?.ingress.filter(({ ports }) => ports.some((each) => each.port === port));
  return sorted(
    (rules ?? []).flatMap(({ from }) =>
      from.map(({ podSelector }) => podSelector?.matchLabels?.[component] ?? 'outside'),
    ),
  );
}

it('lets the callers of gRPC alone reach its port, in the chart and in Compose', () => {
  const callers = { assignment: ['queue'], allocator: ['queue'], rating: ['assignment', 'queue'] };
  for (const [name, expected] of Object.entries(callers)) {
    expect(callersOf(name, 'grpc')).toEqual(expected);
    expect(grpcCallersIn(name)).toEqual(expected);
    const address = compose.services[name]?.environment[`${name.toUpperCase()}_GRPC`];
    expect(address).toBe(`dns:///${String(compose.services[name]?.environment['GRPC_HOST'])}:50051`);
  }
  expect(callersOf('queue', 'grpc')).toEqual([]);
  for (const network of ['rating-callers', 'assignment-callers', 'allocator-callers'])
    expect(compose.networks[network]).toEqual({ internal: true });
});

it('lets the edge, the ingress and Prometheus alone reach HTTP of the services from beside them', () => {
  for (const name of services) {
    expect(callersOf(name, 'http')).toEqual(['edge', 'outside']);
    // Services share a network with the edge. Each call asks for a key there, but for health and figures.
    const reached = beside(name, ['calls']).filter((other) => !services.includes(other));
    expect(reached).toEqual(['edge', 'ingress', 'prometheus']);
  }
  // What operators and players use reaches the ingress alone.
  for (const name of ['demo', 'muster', 'grafana']) expect([...networksOf(name).keys()]).toEqual(['entry']);
});

it('lets services and migrations alone reach the stores', () => {
  expect(beside('postgres', ['stores'])).toEqual(sorted([...services, 'migrate', 'valkey']));
  expect(compose.networks['stores']).toEqual({ internal: true });
  for (const name of ['postgres', 'valkey']) expect([...networksOf(name).keys()]).toEqual(['stores']);
  const storePorts = (name: string): (string | number)[] =>
    (policies.get(name)?.egress ?? [])
      .flatMap(({ ports }) => ports.map(({ port }) => port))
      .filter((port) => port === 5_432 || port === 6_379);
  for (const name of services) expect(storePorts(name)).toEqual([5_432, 6_379]);
  expect(storePorts('edge')).toEqual([]);
});
