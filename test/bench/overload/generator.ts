// The players of `npm run bench:overload`, in a process of their own: what else the benchmark does never delays an arrival. It is
// told a plan, and tells when it begins and what came of every arrival.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadOf } from '../queue/load.js';
import { origin, pace, type Moment } from '../queue/pace.js';
import { SocketClient, type Answer } from '../million/http.js';
import { Signatures } from '../million/tokens.js';

/** What the players do. */
export interface Plan {
  readonly dataDir: string;
  /** Of the edge. */
  readonly port: number;
  readonly queue: string;
  readonly build: string;
  readonly region: string;
  /** The number of the first player; each arrival is another player. */
  readonly first: number;
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What came of an arrival. Times count from its intended moment. */
export interface Arrived {
  readonly player: number;
  /** Since the beginning. */
  readonly atMs: number;
  /** How late it was sent: that is the load generator's fault. */
  readonly lateMs: number;
  readonly answeredMs: number;
  /** 0 without an answer. */
  readonly status: number;
  /** The code of the problem, or what kept the answer away; empty for a ticket. */
  readonly problem: string;
  readonly retryAfterSeconds: number | null;
  readonly ticketId: string;
}

/** A later call of a player whose ticket was acknowledged. */
export interface LaterCall {
  readonly status: number;
  readonly tookMs: number;
}

export type Told =
  | { readonly kind: 'begins'; readonly epochMs: number; readonly arrivals: number }
  | {
      readonly kind: 'ended';
      readonly arrived: readonly Arrived[];
      readonly later: readonly LaterCall[];
      readonly cpuSeconds: number;
    };

/** A call without an answer is given up after this, in milliseconds: longer than the edge waits for a service. */
const patienceMs = 20_000;
/** One of so many reads its ticket a second after it was acknowledged. */
const readsEach = 25;
const readAfterMs = 1_000;

process.once('message', (plan: Plan) => void play(plan));

async function play(plan: Plan): Promise<void> {
  const load = loadOf({ ...plan, playersPerMatch: 1, warmUpSeconds: 0, drainSeconds: 0 });
  const signatures = await Signatures.of(plan.dataDir);
  const tokens = load.moments.map(
    (_, n) => signatures.ticket({ first: plan.first + n, players: 1, region: 0 }, 0).token,
  );
  const client = new SocketClient(plan.port);
  const body = { queue: plan.queue, build: plan.build, latencyMs: { [plan.region]: 20 } };
  const arrived: Arrived[] = [];
  const later: LaterCall[] = [];
  const calls: Promise<void>[] = [];

  const come = async (n: number, moment: Moment): Promise<void> => {
    const token = tokens[n] ?? '';
    const lateMs = moment.sinceMs();
    const key = `idempotency-key: ${plan.first + n}\r\n`;
    const answer = await answerTo(client.call('POST', '/v1/tickets', token, body, key));
    const seen = readAnswer(answer);
    arrived.push({
      player: plan.first + n,
      atMs: load.moments[n] ?? 0,
      lateMs,
      answeredMs: moment.sinceMs(),
      ...seen,
    });
    if (seen.status !== 201 || n % readsEach !== 0) return;
    await sleep(readAfterMs);
    const began = performance.now();
    const { status } = await answerTo(client.call('GET', `/v1/tickets/${seen.ticketId}`, token));
    later.push({ status, tookMs: performance.now() - began });
  };

  const from = origin();
  tell({ kind: 'begins', epochMs: from.epochMs, arrivals: load.moments.length });
  const before = process.cpuUsage();
  await pace(load.moments, (n, moment) => void calls.push(come(n, moment)), from);
  const { user, system } = process.cpuUsage(before);
  await Promise.all(calls);
  client.close();
  process.send?.({ kind: 'ended', arrived, later, cpuSeconds: (user + system) / 1e6 } satisfies Told, () =>
    process.disconnect(),
  );
}

const tell = (told: Told): void => void process.send?.(told);

/** The answer, or why there is none. */
async function answerTo(call: Promise<Answer>): Promise<Answer> {
  const gaveUp = sleep(
    patienceMs,
    { status: 0, text: `no answer within ${patienceMs / 1_000} s` },
    { ref: false },
  );
  try {
    return await Promise.race([call, gaveUp]);
  } catch (error) {
    return { status: 0, text: error instanceof Error ? error.message : String(error) };
  }
}

/** What an answer says. Only the parts that matter are read: parsing each would cost the measured system's time. */
export function readAnswer({
  status,
  text,
}: Answer): Pick<Arrived, 'status' | 'problem' | 'retryAfterSeconds' | 'ticketId'> {
  const [, ticketId = ''] = /"ticketId":"([^"]+)"/.exec(text) ?? [];
  if (status === 201) return { status, problem: '', retryAfterSeconds: null, ticketId };
  const [, problem = text.slice(0, 80)] = /"type":"[^"]*?([\w-]+)"/.exec(text) ?? [];
  const [, seconds] = /"retryAfterSeconds":(\d+)/.exec(text) ?? [];
  return {
    status,
    problem,
    retryAfterSeconds: seconds === undefined ? null : Number(seconds),
    ticketId: '',
  };
}
