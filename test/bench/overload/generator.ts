// The players of `npm run bench:overload`, in a process of their own: what else the benchmark does never delays an arrival. It is
// told a plan, and tells when it begins and what came of every arrival.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadOf } from '../queue/load.js';
import { origin, pace, type Moment } from '../queue/pace.js';
import { SocketClient, type Answer } from '../million/http.js';
import { Signatures } from '../million/tokens.js';
import { readAnswer, type Arrived, type LaterCall, type Plan, type Told } from './arrived.js';

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
