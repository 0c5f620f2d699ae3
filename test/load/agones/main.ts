// A soak of allocations at Agones: `npm run test:agones`. Matches wait, two allocators ask the allocator service over gRPC
// with mutual TLS, one reply in a hundred is lost, and game servers register, play one match and shut down. At the end both
// sides are compared. `-- --matches 500` is a short run; `-- --lost 0.05` loses more; `-- --seed N` repeats the choices.
import { noSpares, seededRandom } from '@muster/domain';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { AgonesGrpcAllocator } from '../../../apps/allocator/src/hosting/agones-grpc.client.js';
import { AgonesProvider } from '../../../apps/allocator/src/hosting/agones-provider.js';
import { Hosting } from '../../../apps/allocator/src/hosting/hosting.js';
import { PostgresAllocationStore } from '../../../apps/allocator/src/hosting/hosting.store.js';
import { allocatorStores } from '../../stores/allocator-stores.js';
import { ScaleOut } from '../../../apps/allocator/src/scale-out/scale-out.js';
import { PostgresMatchStore } from '../../../apps/assignment/src/forming/match.store.js';
import { TestDatabase, TestPostgres } from '../../support/database.js';
import { AgonesCluster } from '../../support/hosting/agones-cluster.js';
import { serveGrpc } from '../../support/hosting/agones-servers.js';
import { makeCertificates } from '../../support/certificates.js';
import { build, fleetLabels, matchOf, pause, Servers } from './world.js';

const { values } = parseArgs({
  options: {
    matches: { type: 'string', default: '10000' },
    lost: { type: 'string', default: '0.01' },
    seed: { type: 'string', default: '1' },
  },
});
const matches = Number(values.matches);
const lost = Number(values.lost);
const random = seededRandom(Number(values.seed));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Matches that wait or run at once, game servers of the fleet, and the limits of the provider. */
const [openMatches, fleetSize] = [80, 120];
const limits = { slots: 1, maxPending: 100, claimMs: 10_000 };
const [timeoutMs, concurrency] = [1_000, 24];
const timeouts = { answerMs: 30_000, silenceMs: 60_000, massSilenceMs: 60_000, avoidMs: 1_000 };

const postgres = await TestPostgres.start();
const database = new TestDatabase(postgres.url);
const certificates = makeCertificates();
const cluster = new AgonesCluster();
cluster.add(fleetSize, fleetLabels);
let lostReplies = 0;
cluster.faults.otherwise = () => {
  if (random() >= lost) return null;
  lostReplies++;
  return random() < 0.5 ? 'lose' : 'cut';
};
const service = await serveGrpc(cluster, certificates);
const servers = new Servers(cluster, allocatorStores(database.as('allocator')), random, 0.003);
const clock = { now: () => Date.now() };
const ending = new AbortController();
const loops: Promise<void>[] = [];
const failures: string[] = [];

function every(ms: number, turn: () => Promise<unknown>): void {
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await turn().catch((error: unknown) => failures.push(String(error)));
      await pause(ms);
    }
  };
  loops.push(run());
}

/** An allocator's loops, without its HTTP. */
function startReplica(): Hosting {
  const { placement, shortages } = allocatorStores(database.as('allocator', 6));
  const { ca, client } = certificates;
  const allocator = new AgonesGrpcAllocator(
    service.address,
    { ca, ...client },
    timeoutMs,
    new AbortController().signal,
  );
  const provider = new AgonesProvider(allocator, {
    namespace: 'default',
    labels: { 'agones.dev/fleet': 'arena', build: '{build}', region: '{region}' },
    preferred: [],
    scheduling: 'Packed',
  });
  const hosting = new Hosting(
    new PostgresAllocationStore(database.as('allocator', 6)),
    [{ name: 'agones', provider, ...limits, timeoutMs, concurrency }],
    [{ provider: 'agones' }],
    clock,
    Math.random,
    () => `alc_${randomBytes(16).toString('hex')}`,
    null,
    () => undefined,
    () => undefined,
  );
  const scaleOut = new ScaleOut(shortages, hosting, clock, () => undefined, {
    everyMs: 400,
    startMs: 0,
    builds: [build],
    spares: noSpares,
  });
  every(100, () => scaleOut.run());
  every(50, () => hosting.start());
  every(3_000, () => hosting.reconcile());
  every(40, async () => {
    const due = await placement.duePlacements(Date.now(), 50);
    const placed = await Promise.all(due.map((id) => placement.place(id, timeouts, Date.now())));
    for (const result of placed) if (result.outcome === 'reserved') servers.wake(result.serverId);
  });
  return hosting;
}

const began = Date.now();
const replicas = [startReplica(), startReplica()];
const forming = new PostgresMatchStore(database.as('assignment', 4));
const beginning = allocatorStores(database.as('allocator', 4));
let saidAt = Date.now();
for (let formed = 0; formed < matches;) {
  if (formed - servers.seen.played >= openMatches) {
    await pause(10);
  } else {
    const numbers = Array.from({ length: Math.min(10, matches - formed) }, (_, i) => formed + i + 1);
    await Promise.all(
      numbers.map(async (number) => {
        const match = matchOf(number, Date.now());
        await forming.form(match);
        await beginning.placement.begin(match.matchId, Date.now());
      }),
    );
    formed += numbers.length;
  }
  if (Date.now() - saidAt > 15_000) {
    saidAt = Date.now();
    say(`${servers.seen.played} of ${matches} matches played, ${cluster.allocated.length} servers held`);
  }
}

/** The matches that have not ended, and the allocations that are not over. */
async function open(): Promise<{ matches: number; allocations: number }> {
  const [row] = await database.db.$queryRaw<{ matches: number; allocations: number }[]>`
    SELECT (SELECT count(*)::int FROM match WHERE state <> 'ended') AS matches,
      (SELECT count(*)::int FROM allocation WHERE state NOT IN ('released', 'failed')) AS allocations`;
  return row ?? { matches: 0, allocations: 0 };
}

let left = await open();
for (const until = Date.now() + 180_000; Date.now() < until; left = await open()) {
  if (left.matches + left.allocations === 0 && cluster.allocated.length === 0) break;
  await pause(500);
}
await servers.ended();
ending.abort();
await Promise.all(loops);
await Promise.all(replicas.map((each) => each.settled()));

const { seen } = servers;
const rows = await database.db.allocation.findMany({ select: { id: true } });
const known = new Set(rows.map(({ id }) => id));
const doubled = [...seen.servers.values()].filter((names) => names.size > 1).length;
const unknown = [...seen.servers.keys()].filter((id) => !known.has(id)).length;
const leaked = cluster.allocated.length + left.allocations + unknown;
const [sessions] = await database.db.$queryRaw<{ twice: number }[]>`
  SELECT count(*)::int AS twice FROM (
    SELECT 1 FROM session WHERE state = 'ended' GROUP BY match_id HAVING count(*) > 1) AS each`;
await service.close();
await database.close();
await postgres.stop();

say(
  `asked ${known.size} allocations for ${matches} matches, by ${cluster.requests} requests, in ${Math.round((Date.now() - began) / 1000)} s`,
);
say(
  `replies lost ${lostReplies}; servers that never registered ${seen.mute}, refused ${seen.refused}, without a match ${seen.idle}`,
);
say(`held at most ${seen.heldAtMost}`);
for (const error of [...new Set([...seen.errors, ...failures])].slice(0, 5)) say(`error: ${error}`);
const findings: [string, number][] = [
  ['leaked', leaked],
  ['doubled', doubled],
  ['missing', left.matches],
  ['played twice', sessions?.twice ?? 0],
  ['invalid requests', cluster.invalid.length],
  ['errors', seen.errors.length + failures.length],
  ['replies too few lost', lost > 0 && lostReplies === 0 ? 1 : 0],
  ['allocations too few', known.size < matches ? 1 : 0],
];
for (const [what, count] of findings) say(`${what} ${count}`);
for (const flaw of new Set(cluster.invalid)) say(`invalid: ${flaw}`);
const failed = findings.filter(([, count]) => count > 0).length;
say(`${findings.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
