import { isNewWork, type Service } from '@muster/contracts';
import { Admission, admissionRules, refusing } from '@muster/platform/admission';
import { ErrorLog } from '@muster/platform/error-log';
import { limitConnections, listenBacklog } from '@muster/platform/http-server';
import { openTraces, traceCalls } from '@muster/platform/traces';
import type { FastifyInstance } from 'fastify';
import { Calls } from './calls.js';
import { Forwarder } from './forward.js';
import { addEdgeMetrics } from './metrics.js';
import { wasNotSent } from './network-error.js';
import { addHealth, addRoutes, openOrigin, publicAddresses } from './origin.js';
import { Probe } from './probe.js';
import { ReplicaSet, type Replica, type ReplicaState } from './replica.js';
import { readEdgeSettings, type EdgeSettings } from './settings.js';

export type Upstreams = Readonly<Record<Service, readonly string[]>>;

/**
 * One origin for all services, like an ingress: routes by the table of endpoints to answering replicas. Its only state
 * is what it observes of replicas.
 */
export async function createEdge(
  settings: EdgeSettings,
  version: string,
  logTo: { write(line: string): void } = process.stdout,
): Promise<FastifyInstance> {
  const edge = await openOrigin(settings, { name: 'edge', version, logTo, forceCloseConnections: true });
  const traces = await openTraces('edge', settings, edge.log);
  const spanOf = traces && traceCalls(edge, traces);
  const services = replicasOf(settings.EDGE_UPSTREAMS, edge);
  const probe = new Probe(
    Object.values(services).flatMap(({ replicas }) => replicas),
    { everyMs: settings.EDGE_PROBE_MS, silentMs: settings.EDGE_SILENT_MS },
  );
  // A replica that hangs fails hundreds of calls a second: a line for each would bury the others.
  const errors = new ErrorLog(edge.log);
  const forwarder = forwarderOf(settings, probe, errors);
  edge.addHook('onReady', () => probe.start());
  edge.addHook('onClose', async () => {
    await probe.stop();
    await forwarder.close();
    await traces?.close();
  });
  const admission = new Admission(admissionRules(settings.EDGE_ADMISSION_DELAY_MS));
  const limits = {
    open: settings.EDGE_OPEN_CALLS,
    perAddress: settings.EDGE_OPEN_CALLS_PER_ADDRESS,
    readWithinMs: settings.REQUEST_TIMEOUT_MS,
  };
  const calls = new Calls(services, forwarder, admission, limits, publicAddresses(settings), errors, spanOf);
  const refuse = refusing(admission, (error) => errors.report(`calls (${error.code})`, error));
  addEdgeMetrics(edge, settings, () => calls.open, errors);
  addRoutes(edge, (name) => ({
    ...(isNewWork(name) ? { onRequest: refuse } : {}),
    handler: (request, reply) => calls.forward(name, request, reply),
  }));
  addHealth(
    edge,
    () => isDraining(edge),
    (service) => services[service].health,
  );
  return edge;
}

function replicasOf(upstreams: Upstreams, { log }: FastifyInstance): Record<Service, ReplicaSet> {
  const changed = (replica: Replica, before: ReplicaState): void =>
    log.warn({ replica: replica.url, before, now: replica.state }, 'a replica changed its state');
  const set = (service: Service): ReplicaSet => new ReplicaSet(upstreams[service], changed);
  return {
    queue: set('queue'),
    assignment: set('assignment'),
    allocator: set('allocator'),
    rating: set('rating'),
  };
}

/** A forwarder that probes replicas which did not answer a call. */
function forwarderOf(settings: EdgeSettings, probe: Probe, errors: ErrorLog): Forwarder {
  return new Forwarder(
    {
      connectMs: settings.EDGE_CONNECT_MS,
      answerMs: settings.EDGE_ANSWER_MS,
      longAnswerMs: settings.EDGE_LONG_ANSWER_MS,
      streamSilenceMs: settings.EDGE_STREAM_SILENCE_MS,
    },
    (replica, error) => {
      errors.report(replica.url, error, 'a replica did not answer a call');
      if (wasNotSent(error)) replica.seen('away');
      else void probe.check(replica);
    },
  );
}

const draining = new WeakSet<FastifyInstance>();
const isDraining = (edge: FastifyInstance): boolean => draining.has(edge);

/** First readiness fails; after the pause that load balancers need to notice, the edge closes. */
export async function drainEdge(edge: FastifyInstance, pauseMs: number): Promise<void> {
  draining.add(edge);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await edge.close();
}

/** Runs the edge as a process. */
export async function runEdge(env: NodeJS.ProcessEnv, version: string): Promise<void> {
  const settings = readEdgeSettings(env);
  const edge = await createEdge(settings, version);
  limitConnections(edge.server, 2);
  await edge.listen({ port: settings.EDGE_PORT, host: settings.EDGE_HOST, backlog: listenBacklog });
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), settings.EDGE_DRAIN_MS + 3_000).unref();
    void drainEdge(edge, settings.EDGE_DRAIN_MS).then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
