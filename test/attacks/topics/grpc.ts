import { credentials, loadPackageDefinition, Metadata, status, type Client } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectHttp2, constants } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { allOf, heardIn } from '../answers.js';
import { attack, type Attack, type Topic } from '../attack.js';
import { say } from '../raw.js';
import { call, type Target } from '../target.js';

type Service = 'rating' | 'assignment' | 'allocator';
type Unary = (
  request: unknown,
  metadata: Metadata,
  options: { deadline: number },
  done: (error: { code: status } | null) => void,
) => void;

const portOf = ({ stack }: Target, service: Service): number =>
  stack.run.replicas.find((replica) => replica.service === service)?.grpcPort ?? 0;

function clientOf(target: Target, service: Service, options: object = {}): Client {
  const definition: unknown = loadPackageDefinition(
    loadSync(`libs/contracts/proto/${service}.proto`, { defaults: true, keepCase: false }),
  );
  const name = `${service.charAt(0).toUpperCase()}${service.slice(1)}Service`;
  const Constructor = ['muster', service, 'v1', name].reduce<unknown>(
    (found, part) => (found === undefined ? found : Reflect.get(found as object, part)),
    definition,
  ) as new (address: string, with_: ReturnType<typeof credentials.createInsecure>, options: object) => Client;
  return new Constructor(`127.0.0.1:${portOf(target, service)}`, credentials.createInsecure(), options);
}

/** Calls once with a bearer, or without. @returns the name of the status */
function ask(client: Client, method: string, request: unknown, bearer: string): Promise<string> {
  const metadata = new Metadata();
  if (bearer !== '') metadata.set('authorization', `Bearer ${bearer}`);
  const unary = Reflect.get(client, method) as Unary;
  return new Promise((resolve) =>
    unary.call(client, request, metadata, { deadline: Date.now() + 10_000 }, (error) =>
      resolve(status[error?.code ?? status.OK] ?? 'nothing'),
    ),
  );
}

interface Sent {
  readonly service: Service;
  readonly method: string;
  readonly request: unknown;
  /** How often, all at once; once by default. */
  readonly times?: number;
  /** Options of the connection. */
  readonly options?: object;
}

/** Makes a call with whatever a bearer is. */
const asks =
  (
    { service, method, request, times = 1, options }: Sent,
    bearerOf: (target: Target) => string | Promise<string>,
  ): Attack['run'] =>
  async (target) => {
    const bearer = await bearerOf(target);
    const client = clientOf(target, service, options);
    try {
      const all = Array.from({ length: times }, () => ask(client, method, request, bearer));
      return allOf(await Promise.all(all));
    } finally {
      client.close();
    }
  };

const nobody = (): string => '';

/** The token of a program that may read, as docs/grpc.md makes it. */
async function readerOf({ stack }: Target): Promise<string> {
  const COORDINATOR_KEY = await readFile(join(stack.dataDir, 'keys', 'coordinator.jwk'), 'utf8');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['docs/examples/grpc-token.mjs', 'a-balancer'],
    {
      env: { ...process.env, COORDINATOR_KEY },
    },
  );
  return stdout.trim();
}

const seed: Sent = {
  service: 'rating',
  method: 'seedRating',
  request: { pool: 'duel', playerId: 'atk-mallory', mu: 60, sigma: 1, eventId: 'atk-seed', reason: 'x' },
};
const rename: Sent = {
  service: 'rating',
  method: 'noteNames',
  request: { names: [{ playerId: 'atk-victim', name: 'mallory' }] },
};
const settle: Sent = {
  service: 'assignment',
  method: 'settleProposal',
  request: { matchId: 'mat_AAAAAAAAAAAAAAAA' },
};
const leave: Sent = {
  service: 'allocator',
  method: 'leaveMatch',
  request: { matchId: 'mat_AAAAAAAAAAAAAAAA', ticketId: 'tkt_AAAAAAAAAAAAAAAA' },
};
const live: Sent = {
  service: 'assignment',
  method: 'listLiveTickets',
  request: { afterMatchId: '', limit: 1_000, formedSince: 0 },
};
const readsRatings = (playerIds: readonly string[]): Sent => ({
  service: 'rating',
  method: 'getRatings',
  request: { pool: 'duel', playerIds },
});
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`);

const stranger = (title: string, sent: Sent): Attack => attack(title, 'UNAUTHENTICATED', asks(sent, nobody));
const reader = (title: string, comes: string, sent: Sent): Attack =>
  attack(title, comes, asks(sent, readerOf));

/** Opens and cancels streams as fast as it can. */
const resets: Attack['run'] = async (target) => {
  const session = connectHttp2(`http://127.0.0.1:${portOf(target, 'rating')}`);
  session.on('error', () => undefined);
  await once(session, 'connect');
  for (let n = 0; n < 20_000 && !session.destroyed && !session.closed; n++) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/muster.rating.v1.RatingService/GetRatings',
    });
    stream.on('error', () => undefined);
    stream.close(constants.NGHTTP2_CANCEL);
    if (n % 500 === 0) await sleep(1);
  }
  const seen = await call(target, '/v1/me/rating?pool=duel', { token: target.victim.token });
  session.destroy();
  return seen === '200' ? 'others are served' : seen;
};

/** Who reaches the ports between services. */
export const grpc: Topic = {
  name: 'gRPC from outside',
  about:
    'Each call carries a token that derives from the coordinator’s key; only the queue’s changes anything. Requests are bounded before anything is done for them.',
  bounds: { processorSeconds: 15, memoryMiB: 192 },
  attacks: [
    stranger('the rating of a player, set', seed),
    stranger('the name of a player, set', rename),
    stranger('a proposal, settled', settle),
    stranger('a match, left', leave),
    stranger('who plays, where', live),
    stranger('the rating of a player', readsRatings(['atk-victim'])),
    stranger('3,000 proposals at once', { ...settle, times: 3_000 }),
    attack(
      'the operator key in the place of a token',
      'UNAUTHENTICATED',
      asks(seed, ({ keys }) => keys.operator),
    ),
    attack(
      'a player’s token',
      'UNAUTHENTICATED',
      asks(seed, ({ mallory }) => mallory),
    ),
    attack(
      'the name of the queue with a code of zeros',
      'UNAUTHENTICATED',
      asks(seed, () => `queue.${'A'.repeat(43)}`),
    ),
    attack(
      'the name of the queue with the code of another program',
      'UNAUTHENTICATED',
      asks(seed, async (target) => (await readerOf(target)).replace(/^[^.]+/, 'queue')),
    ),
    reader('a program that may read sets a rating', 'PERMISSION_DENIED', seed),
    reader('a program that may read sets a name', 'PERMISSION_DENIED', rename),
    reader('a program that may read settles a proposal', 'PERMISSION_DENIED', settle),
    reader('200,000 players in a question', 'INVALID_ARGUMENT', readsRatings(numbered(200_000))),
    reader('a message of 4 MB', 'RESOURCE_EXHAUSTED', readsRatings(Array(60_000).fill('x'.repeat(64)))),
    reader('20 MB that are 100 KB compressed', 'RESOURCE_EXHAUSTED', {
      ...readsRatings(Array(300_000).fill('x'.repeat(64))),
      options: { 'grpc.default_compression_algorithm': 2 },
    }),
    reader('`__proto__` as a player', 'INVALID_ARGUMENT', readsRatings(['__proto__'])),
    reader('a name of 100 KB as a player', 'INVALID_ARGUMENT', readsRatings(['x'.repeat(100_000)])),
    reader('10,000 teams', 'INVALID_ARGUMENT', {
      service: 'rating',
      method: 'predict',
      request: { pool: 'duel', teams: numbered(10_000).map((id) => ({ playerIds: [id] })) },
    }),
    attack('HTTP/1.1 at the port of gRPC', 'bytes, closed', async (target) =>
      heardIn(
        await say(`http://127.0.0.1:${portOf(target, 'rating')}`, [
          'GET /metrics HTTP/1.1\r\nHost: m\r\n\r\n',
        ]),
      ),
    ),
    attack('20,000 streams that are cancelled at once (rapid reset)', 'others are served', resets),
  ],
};
