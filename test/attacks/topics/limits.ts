import { randomBytes } from 'node:crypto';
import { attack, refused, type Attack, type Topic } from '../attack.js';
import { countsOf } from '../answers.js';
import { call, type Target } from '../target.js';

const invalid = refused('400 invalid-request');

/** Another address of the internet, as the proxy in front tells it. */
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** Many calls, some at a time; the burst of the limit passes, and a few that were added meanwhile. */
async function beyond(
  most: number,
  times: number,
  good: string,
  one: (n: number) => Promise<string>,
): Promise<string> {
  const seen: string[] = [];
  const lanes = 16;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = lane; n < times; n += lanes) seen.push(await one(n));
    }),
  );
  const counts = new Map(countsOf(seen));
  const passed = counts.get(good) ?? 0;
  counts.delete(good);
  const others = [...counts.keys()].join(', ');
  return passed <= most
    ? `at most ${most.toLocaleString('en')}; then ${others}`
    : `${passed} passed; ${others}`;
}

const guest = (target: Target, address: string): Promise<string> =>
  call(target, '/v1/guest-login', {
    body: { deviceId: randomBytes(32).toString('base64url') },
    headers: from(address),
  });

/** Makes and cancels tickets without a pause. */
const churn: Attack['run'] = async (target) => {
  const player = await target.stack.token('atk-churn');
  return beyond(60, 120, '201', async () => {
    const seen = await call(target, '/v1/tickets', {
      token: player,
      body: { queue: '1v1', build: 'atk-churn' },
    });
    if (seen === '201') {
      const mine = await target.stack.player('atk-churn');
      const ticket = await mine.current();
      if (ticket) await mine.cancel(ticket.ticketId);
    }
    return seen === '409 player-already-queued' ? '201' : seen;
  });
};

/** What one caller may send. */
export const limits: Topic = {
  name: 'Limits',
  about:
    'Calls are counted by player, address, server and key ([limits.md](limits.md)). The address is what a trusted proxy tells.',
  bounds: { processorSeconds: 12, memoryMiB: 160 },
  attacks: [
    attack('120 tickets of one player, made and cancelled', 'at most 60; then 429 too-many-requests', churn),
    attack('600 guests from one address', 'at most 450; then 429 too-many-requests', (target) =>
      beyond(450, 600, '200', () => guest(target, '203.0.113.10')),
    ),
    attack('a guest of another address meanwhile', '200', (target) => guest(target, '198.51.100.7')),
    attack('200 addresses that a caller makes up before its own', '429 too-many-requests', async (target) => {
      const seen = await Promise.all(
        Array.from({ length: 200 }, (_, n) => guest(target, `192.0.2.${n}, 203.0.113.10`)),
      );
      // Some calls were added to the bucket meanwhile.
      return seen.filter((each) => each === '429 too-many-requests').length >= 150
        ? '429 too-many-requests'
        : seen.join();
    }),
    attack(
      '600 guesses of the operator key from one address',
      'at most 450; then 429 too-many-requests',
      (target) =>
        beyond(450, 600, '401 not-authenticated', (n) =>
          call(target, '/v1/matches', { token: `opr_${n}`, headers: from('203.0.113.20') }),
        ),
    ),
    attack(
      'the right key from there afterwards, which could be the 601st guess',
      '429 too-many-requests',
      async (target) => {
        for (let n = 0; n < 50; n++) {
          const guessed = await call(target, '/v1/matches', {
            token: `opr_x${n}`,
            headers: from('203.0.113.20'),
          });
          if (guessed !== '429 too-many-requests') continue;
          return call(target, '/v1/matches', { token: target.keys.operator, headers: from('203.0.113.20') });
        }
        return 'no guess was refused';
      },
    ),
    attack('the operator from elsewhere meanwhile', '200', (target) =>
      call(target, '/v1/matches', { token: target.keys.operator, headers: from('198.51.100.8') }),
    ),
    invalid('a device that is no secret', (target) =>
      call(target, '/v1/guest-login', { body: { deviceId: 'a'.repeat(64) } }),
    ),
    invalid('80 parameters', (target) =>
      call(target, `/v1/matches?${Array.from({ length: 80 }, (_, n) => `p${n}=1`).join('&')}`, {
        token: target.keys.viewer,
      }),
    ),
    refused('431 headers-too-large')('150 headers', (target) =>
      call(target, '/v1/queues', {
        headers: Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`x-${n}`, '1'])),
      }),
    ),
    invalid('33 levels of lists', (target) =>
      call(target, '/v1/tickets', {
        token: target.mallory,
        raw: `{"queue":"1v1","attributes":{"a":${'['.repeat(33)}${']'.repeat(33)}}}`,
      }),
    ),
  ],
};
