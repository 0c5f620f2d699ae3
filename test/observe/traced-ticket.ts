import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GameServer } from '../support/game-server.js';
import { OtlpReceiver, type ReceivedSpan } from '@muster/testing';
import { Stack } from '../support/stack.js';

const build = 'traced';
const services = ['edge', 'queue', 'assignment', 'allocator', 'rating'];
/** Spans of a trace from the call to the rating. */
const names = [
  'POST /v1/tickets',
  'wait',
  'match',
  'process form-teams',
  'process place-match',
  'slot reserved',
  'session done',
  'result',
  'process rate-match',
  'process ticket-news',
];

/** Settings with which a system sends spans to a receiver: of calls that bring a sampled trace, and of no others. */
export const tracingTo = ({ url }: OtlpReceiver): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER_ARG: '0',
  TRACES_TRUST_CALLERS: 'yes',
});

/**
 * Plays one match of two tickets with a `traceparent` each, and kills `victim` between the assignment and the result.
 *
 * @throws Error unless the older ticket's trace has spans of every service from its call to its rating, each under a parent that
 * was exported too, and the other ticket's trace links to it
 */
export async function traceOneTicket(stack: Stack, receiver: OtlpReceiver, victim = 'rating'): Promise<void> {
  const server = await GameServer.start(stack, { serverId: 'traced-server', build });
  try {
    const older = newTrace();
    const ticket = await post(stack, 'traced-ann', older);
    const younger = newTrace();
    await post(stack, 'traced-ben', younger);
    const { sessionId, order } = await server.asked.first(() => true);
    // Spans are exported once a second, and what a killed process has not exported is lost.
    await pause(2_000);
    const killed = (await stack.pids())[victim] ?? 0;
    process.kill(killed, 'SIGKILL');
    const reported = server.report(sessionId, { winner: 0 });
    await until(
      async () => ((await stack.pids())[victim] ?? killed) !== killed,
      `${victim} is started again`,
    );
    await reported;
    const { traceparent } = order;
    if (!traceparent?.includes(older.traceId)) throw new Error(`the order names ${String(traceparent)}`);
    const player = await stack.player('traced-ann');
    await until(async () => (await player.read(ticket)).matchState === 'rated', 'the ticket is rated');
    await until(
      async () => flawsIn(receiver, older, younger).length === 0,
      () => flawsIn(receiver, older, younger).join('; '),
    );
  } finally {
    await server.stop();
  }
}

interface Trace {
  readonly traceId: string;
  readonly spanId: string;
}

const newTrace = (): Trace => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

/** Posts a ticket, again where a service that has just started is not there yet. */
async function post(stack: Stack, playerId: string, { traceId, spanId }: Trace): Promise<string> {
  let ticketId = '';
  await until(async () => {
    ticketId = await postOnce(stack, playerId, { traceId, spanId });
    return true;
  }, 'a ticket is accepted');
  return ticketId;
}

async function postOnce(stack: Stack, playerId: string, { traceId, spanId }: Trace): Promise<string> {
  const response = await fetch(`${stack.url}/v1/tickets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await stack.token(playerId)}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: 'test=1',
    },
    body: JSON.stringify({ queue: '1v1', build }),
  });
  const { ticketId } = (await response.json()) as { ticketId?: string };
  if (ticketId === undefined) throw new Error(`the ticket was answered ${response.status}`);
  return ticketId;
}

/** What is missing in the two traces. */
function flawsIn(receiver: OtlpReceiver, older: Trace, younger: Trace): string[] {
  const trace = receiver.of(older.traceId);
  const other = receiver.of(younger.traceId);
  const match = trace.find(({ name }) => name === 'match');
  const wait = other.find(({ name }) => name === 'wait');
  return [
    ...services
      .filter((name) => !trace.some(({ service }) => service === name))
      .map((name) => `no span of ${name}`),
    ...names.filter((name) => !trace.some((span) => span.name === name)).map((name) => `no span ${name}`),
    ...orphansIn(trace, older).map(({ name, service }) => `${name} of ${service} has no parent`),
    ...orphansIn(other, younger).map(
      ({ name, service }) => `${name} of ${service} has no parent in the other trace`,
    ),
    ...(wait?.links.some(({ spanId }) => spanId === match?.spanId)
      ? []
      : ['the other trace does not link to the match']),
    ...(match?.links.some(({ spanId }) => spanId === wait?.spanId)
      ? []
      : ['the match does not link to the other trace']),
  ];
}

/** Spans whose parent is neither in the trace nor the caller's. */
function orphansIn(trace: readonly ReceivedSpan[], { spanId: caller }: Trace): ReceivedSpan[] {
  const known = new Set([caller, ...trace.map(({ spanId }) => spanId)]);
  return trace.filter(({ parentSpanId = '' }) => !known.has(parentSpanId));
}

async function until(
  isSo: () => Promise<boolean>,
  what: string | (() => string),
  withinMs = 60_000,
): Promise<void> {
  for (let since = performance.now(); !(await isSo().catch(() => false)); await pause(200))
    if (performance.now() - since > withinMs)
      throw new Error(`not after ${withinMs / 1_000} s: ${typeof what === 'string' ? what : what()}`);
}
