import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { attack, type Attack, type Topic } from '../attack.js';
import { allOf, heardIn } from '../answers.js';
import { ask } from '../../support/http.js';
import { dial, say } from '../raw.js';
import { behind, call, type Target } from '../target.js';

const crowd = <T>(count: number, one: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)));

const get = (path: string, token = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: m\r\n${token === '' ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`;

/** The time in which an honest call must be answered meanwhile, in milliseconds, on a machine that is busy besides. */
const honestMs = 10_000;

/** Streams and polls of one caller. */
const mostHeld = 8;

/** Whether an honest call is answered in time. */
async function isServed(target: Target): Promise<string> {
  const honest = call(target, '/v1/me/ticket', { token: target.victim.token });
  const seen = await Promise.race([honest, sleep(honestMs, 'nothing')]);
  return seen === '200' ? 'others are served' : `others get ${seen}`;
}

/** Opens connections and sends the same on each. @returns them, and tells how many the other side closed */
async function openAll(target: Target, count: number, said: string): Promise<Socket[]> {
  return crowd(count, async () => {
    const socket = await dial(target.url);
    socket.write(said);
    return socket;
  });
}

/** Holds connections while an honest call is made. */
const while_ =
  (count: number, saidBy: (target: Target) => string, isRead = true): Attack['run'] =>
  async (target) => {
    const sockets = await openAll(target, count, saidBy(target));
    if (!isRead) for (const socket of sockets) socket.pause();
    await sleep(500);
    const seen = await isServed(target);
    for (const socket of sockets) socket.destroy();
    return seen;
  };

/** What a call that may wait has come to. A poll is silent while it waits; a stream that gave way to a newer one has ended. */
function stateOf(heard: string): string {
  if (heard === '') return 'open';
  if (!heard.startsWith('HTTP/1.1 200')) return heard.slice(9, 12);
  return heard.endsWith('\r\n0\r\n\r\n') ? 'over' : 'open';
}

/** How many of these calls are held open, and how the others are refused. */
async function heldOf(target: Target, count: number, path: string, token: string): Promise<string> {
  const heard: string[] = [];
  const sockets = await crowd(count, async (n) => {
    const socket = await dial(target.url);
    heard[n] = '';
    socket.on('data', (part: Buffer) => (heard[n] += part.toString('latin1')));
    socket.write(get(path, token));
    return socket;
  });
  const statesOf = (wanted: (state: string) => boolean): string[] => heard.map(stateOf).filter(wanted);
  const isOpen = (state: string): boolean => state === 'open';
  // A busy machine takes its time to refuse them.
  for (let tries = 0; tries < 80 && statesOf(isOpen).length > mostHeld; tries++) await sleep(250);
  const open = statesOf(isOpen).length;
  for (const socket of sockets) socket.destroy();
  const others = allOf(statesOf((state) => state !== 'open' && state !== 'over'));
  return `${open <= mostHeld ? 'at most 8' : open} are open, ${others} for the others`;
}

/** The streams and long polls that queue holds open. */
async function openAtQueue(target: Target): Promise<number> {
  const { text } = await ask(behind(target, 'queue'), '/metrics');
  return Number(/^muster_open_calls\{.*\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
}

/** More open at once than anybody needs. */
export const hoards: Topic = {
  name: 'Hoards',
  about:
    'Waiting calls are counted by player and server, and have connections of their own at the edge. What is not complete in time is closed, and so is who does not read.',
  bounds: { processorSeconds: 20, memoryMiB: 256 },
  attacks: [
    attack('500 streams of one player', 'at most 8 are open, 429 for the others', (target) =>
      heldOf(target, 500, `/v1/tickets/${target.victim.ticketId}/events`, target.victim.token),
    ),
    attack('60 long polls of one server', 'at most 8 are open, 429 for the others', (target) =>
      heldOf(target, 60, '/v1/servers/atk-rogue/commands?waitSeconds=30', target.rogue.token),
    ),
    attack(
      '1,500 connections that say nothing',
      'others are served',
      while_(1_500, () => ''),
    ),
    attack(
      '1,000 headers that do not end',
      'others are served',
      while_(1_000, () => 'GET /v1/queues HTTP/1.1\r\nX-A: '),
    ),
    attack(
      '1,000 bodies that do not come',
      'others are served',
      while_(
        1_000,
        ({ mallory }) =>
          `POST /v1/tickets HTTP/1.1\r\nHost: m\r\nAuthorization: Bearer ${mallory}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`,
      ),
    ),
    attack(
      '100 connections that ask for much and read nothing',
      'others are served',
      while_(
        100,
        () => get('/openapi.json').repeat(6) + get('/v1/queue-rules.schema.json').repeat(20),
        false,
      ),
    ),
    attack('a header of one letter a second', '408 request-timeout, closed', async (target) =>
      heardIn(
        await say(
          target.url,
          ['GET /v1/queues HTTP/1.1\r\nX-A: ', ...'abcd'.split('').flatMap((each) => [1_000, each])],
          {
            patienceMs: 30_000,
          },
        ),
      ),
    ),
    attack('a body of one letter a second', '408 request-timeout, closed', async (target) =>
      heardIn(
        await say(
          target.url,
          [
            'POST /v1/sign-ins HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n',
            ...'{"co'.split('').flatMap((each) => [1_000, each]),
          ],
          { patienceMs: 30_000 },
        ),
      ),
    ),
    attack(
      'half of a request, and the end of the connection',
      '400 invalid-request, closed',
      async (target) => {
        const socket = await dial(target.url);
        socket.end('POST /v1/sign-ins HTTP/1.1\r\nContent-Length: 60\r\n\r\n{');
        let text = '';
        socket.on('data', (part: Buffer) => (text += part.toString()));
        const closed = await Promise.race([once(socket, 'close'), sleep(30_000, null)]);
        socket.destroy();
        return `${text.slice(9, 12)}${text === '' ? '' : ' invalid-request, '}${closed === null ? 'open' : 'closed'}`;
      },
    ),
    attack('waiting calls behind one another, left behind', 'none is open', async (target) => {
      const path = `/v1/tickets/${target.victim.ticketId}`;
      const poll = get(`${path}?after=1&waitSeconds=30`, target.victim.token);
      const sockets = await openAll(target, 4, poll + get(`${path}/events`, target.victim.token).repeat(5));
      await sleep(500);
      for (const socket of sockets) socket.destroy();
      for (let tries = 0; tries < 20 && (await openAtQueue(target)) > 0; tries++) await sleep(250);
      const open = await openAtQueue(target);
      return open === 0 ? 'none is open' : `${open} are open`;
    }),
  ],
};

/** Sends many calls, some at a time. */
const flood =
  (times: number, one: (target: Target, n: number) => Promise<string>): Attack['run'] =>
  async (target) => {
    const seen: string[] = [];
    let served = 'others are served';
    const lanes = 32;
    await crowd(lanes, async (lane) => {
      for (let n = lane; n < times; n += lanes) {
        seen.push(await one(target, n));
        if (n === Math.floor(times / 2)) served = await isServed(target);
      }
    });
    return `${allOf(seen)}; ${served}`;
  };

/** The same calls, of which a limit of rate lets some through. @param most that may be let through meanwhile */
const limited =
  (times: number, most: number, one: (target: Target, n: number) => Promise<string>): Attack['run'] =>
  async (target) => {
    let through = 0;
    const refused: string[] = [];
    const seen = await flood(times, async (at, n) => {
      const said = await one(at, n);
      if (said.startsWith('429')) refused.push(said);
      else through++;
      return 'answered';
    })(target);
    const share =
      through <= most ? `at most ${most.toLocaleString('en')} get through` : `${through} get through`;
    return `${share}, ${allOf(refused)} for the others; ${seen.slice('answered; '.length)}`;
  };

/** A caller at an address of the internet, behind a proxy. */
const from = (address: string): { headers: Record<string, string> } => ({
  headers: { 'x-forwarded-for': address },
});

/** More calls than anybody needs. */
export const floods: Topic = {
  name: 'Floods',
  about: 'What is refused is cheap, and leaves the calls of others their place.',
  bounds: { processorSeconds: 20, memoryMiB: 192 },
  attacks: [
    attack(
      '2,000 calls without a token',
      '401 not-authenticated; others are served',
      flood(2_000, (target) => call(target, '/v1/tickets', { body: { queue: '1v1' } })),
    ),
    attack(
      '2,000 tokens that nobody signed',
      '401 not-authenticated; others are served',
      flood(2_000, ({ victim, ...target }, n) => {
        const [header, claims] = victim.token.split('.');
        const signature = Buffer.alloc(64, n).toString('base64url');
        return call({ victim, ...target }, '/v1/me/ticket', { token: `${header}.${claims}.${signature}` });
      }),
    ),
    attack(
      '2,000 tickets of one player',
      'at most 60 get through, 429 too-many-requests for the others; others are served',
      limited(2_000, 60, (target) =>
        call(target, '/v1/tickets', {
          token: target.victim.token,
          body: { queue: '1v1', build: 'atk-alone' },
        }),
      ),
    ),
    attack(
      '1,200 tickets of invented players at one address',
      'at most 1,000 get through, 429 too-many-requests for the others; others are served',
      limited(1_200, 1_000, async (target, n) =>
        call(target, '/v1/tickets', {
          token: await target.stack.token(`atk-made-${n}`),
          body: { queue: '5v5', build: `atk-made-${n}` },
          ...from('203.0.113.9'),
        }),
      ),
    ),
    attack(
      '1,000 guesses of a key at one address',
      'at most 500 get through, 429 too-many-requests for the others; others are served',
      limited(1_000, 500, (target, n) =>
        call(target, '/v1/jobs', { token: `guess-${n}`, ...from('203.0.113.10') }),
      ),
    ),
    attack(
      '2,000 paths that there are not',
      '404 not-found; others are served',
      flood(2_000, (target, n) => call(target, `/v1/${n}`)),
    ),
  ],
};
