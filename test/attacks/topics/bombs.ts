import { attack, refused, type Attack, type Topic } from '../attack.js';
import { heardIn, seenIn } from '../answers.js';
import { ask, type Ask } from '../../support/http.js';
import { say } from '../raw.js';
import { call, type Target } from '../target.js';
import { gzipSync } from 'node:zlib';

const invalid = refused('400 invalid-request');
const malformed = refused('400 malformed-json');
const tooLarge = refused('413 body-too-large');

/** An answer that is this many times as large as its request is an attack on others. */
const mostAmplification = 4;
/** An answer of this size is no attack, however small its request was. */
const smallBytes = 8_192;

/** Calls with a body, and checks that the answer is not much larger. */
async function bounded(target: Target, path: string, request: Ask): Promise<string> {
  const answer = await ask(target.url, path, request);
  const sent = path.length + (request.raw?.length ?? 0);
  const most = Math.max(smallBytes, mostAmplification * sent);
  const seen = seenIn(answer);
  return answer.text.length > most ? `${seen}, of ${answer.text.length} bytes for ${sent}` : seen;
}

const queues =
  (make: () => string, headers?: Record<string, string>): Attack['run'] =>
  (target) =>
    bounded(target, '/v1/tickets', { token: target.mallory, raw: make(), headers });

const many = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(',');
const nested = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + close.repeat(levels);

/** A body in chunks of one byte. */
const inCrumbs = (text: string): string => [...text].map((each) => `1\r\n${each}\r\n`).join('') + '0\r\n\r\n';

/** A player’s name that takes long to read. */
const named =
  (name: string): Attack['run'] =>
  (target) =>
    bounded(target, '/v1/player-names', {
      method: 'PUT',
      token: target.keys.fleet,
      raw: JSON.stringify({ names: { 'atk-mallory': name } }),
    });

/** Small requests that are much work, or large answers. */
export const bombs: Topic = {
  name: 'Bombs',
  about:
    'A body has at most 64 KiB, a header 16 KiB. What is refused costs no more than what is taken, and its answer is not much larger.',
  bounds: { processorSeconds: 10, memoryMiB: 160 },
  attacks: [
    tooLarge(
      'a body of 65 KiB',
      queues(() => JSON.stringify({ queue: '1v1', build: 'x'.repeat(65 * 1024) })),
    ),
    attack('a body of 10 GB, which is only announced', '413 body-too-large, closed', async (target) =>
      heardIn(
        await say(target.url, [
          `POST /v1/tickets HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nContent-Length: 10000000000\r\n\r\n{`,
        ]),
      ),
    ),
    tooLarge('a zip bomb of 300 MB', (target) =>
      bounded(target, '/v1/tickets', {
        token: target.mallory,
        raw: gzipSync(Buffer.alloc(80_000_000)).toString('latin1'),
        headers: { 'content-encoding': 'gzip' },
      }),
    ),
    malformed(
      'a compressed body',
      queues(() => gzipSync('{"queue":"1v1"}').toString('latin1'), { 'content-encoding': 'gzip' }),
    ),
    invalid(
      '30,000 lists within one another',
      queues(() => nested(30_000, '[', ']')),
    ),
    invalid(
      '10,000 objects within one another',
      queues(() => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    ),
    invalid(
      '`__proto__` under 9,000 objects',
      queues(() => `${'{"a":'.repeat(9_000)}{"__proto__":1}${'}'.repeat(9_000)}`),
    ),
    invalid(
      '5,500 regions that are none',
      queues(() => `{"queue":"1v1","latencyMs":{${many(5_500, (n) => `"!${n}":1`)}}}`),
    ),
    invalid(
      '4,000 regions',
      queues(() => `{"queue":"1v1","latencyMs":{${many(4_000, (n) => `"r${n}":1`)}}}`),
    ),
    invalid(
      '6,500 fields that there are not',
      queues(() => `{${many(6_500, (n) => `"k${n}":1`)}}`),
    ),
    invalid(
      'a field with a name of 60 KB',
      queues(() => `{"${'q'.repeat(60_000)}":1}`),
    ),
    invalid(
      '30,000 map wishes that are numbers',
      queues(() => `{"queue":"1v1","maps":[${many(30_000, () => '1')}]}`),
    ),
    invalid('6,500 fields to a call of everybody', (target) =>
      bounded(target, '/v1/sign-ins', { raw: `{${many(6_500, (n) => `"k${n}":1`)}}` }),
    ),
    invalid('3,000 parameters to a call of everybody', (target) =>
      bounded(target, `/v1/queues?${Array.from({ length: 3_000 }, (_, n) => n.toString(36)).join('&')}`, {}),
    ),
    invalid(
      'a number of 60,000 digits',
      queues(() => `{"queue":"1v1","latencyMs":{"eu":1${'0'.repeat(60_000)}}}`),
    ),
    invalid(
      'a document for the server of five levels',
      queues(() => `{"queue":"1v1","attributes":${nested(5, '{"a":', '}').replace(':}', ':1}')}}`),
    ),
    invalid(
      'a document for the server of 50 KB',
      queues(() => JSON.stringify({ queue: '1v1', attributes: { a: 'x'.repeat(50_000) } })),
    ),
    invalid(
      '50 party passes of 1,300 letters',
      queues(() => JSON.stringify({ queue: '1v1', partyPasses: Array(50).fill('x'.repeat(1_300)) })),
    ),
    invalid('a name of 60,000 combining marks', named('\u0301'.repeat(20_000))),
    invalid('a name of letters and 60,000 blanks', named(`x${' '.repeat(60_000)}x`)),
    attack('a body in 20,000 chunks of one byte', '400 invalid-request', async (target) =>
      heardIn(
        await say(
          target.url,
          [
            `POST /v1/tickets HTTP/1.1\r\nHost: m\r\nAuthorization: Bearer ${target.mallory}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
            inCrumbs(JSON.stringify('x'.repeat(20_000))),
          ],
          { answers: 1 },
        ),
      ),
    ),
    attack('a header of 20 KiB', '431 headers-too-large, closed', async (target) =>
      heardIn(
        await say(target.url, [`GET /v1/queues HTTP/1.1\r\nHost: m\r\nX-A: ${'x'.repeat(20_480)}\r\n\r\n`]),
      ),
    ),
    attack('5,000 headers of one letter', '431 headers-too-large', async (target) =>
      heardIn(
        await say(target.url, [`GET /v1/queues HTTP/1.1\r\nHost: m\r\n${'A: b\r\n'.repeat(5_000)}\r\n`], {
          answers: 1,
        }),
      ),
    ),
    invalid('a page of 1e9 entries', (target) =>
      call(target, '/v1/matches?limit=1000000000', { token: target.keys.viewer }),
    ),
    invalid('a cursor of 10 KB', (target) =>
      call(target, `/v1/servers?cursor=${'x'.repeat(10_000)}`, { token: target.keys.viewer }),
    ),
    invalid('a split of 10,000 players', (target) =>
      bounded(target, '/v1/teams/split', {
        token: target.rogue.token,
        raw: `{"teamSizes":[2,2],"players":[${many(2_500, (n) => `{"id":"p${n}","weight":1}`)}]}`,
      }),
    ),
    attack('300 times the OpenAPI document', '200', async (target) => {
      const answers = await Promise.all(Array.from({ length: 300 }, () => ask(target.url, '/openapi.json')));
      return [...new Set(answers.map(({ status }) => String(status)))].join();
    }),
  ],
};
