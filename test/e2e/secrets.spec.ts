import type { TicketView } from '@muster/contracts';
import { connectRedis } from '@muster/redis';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { register } from '../support/game-server.js';
import { ask, jsonOf, type Answer, type Ask } from '../support/http.js';
import { duel } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

/** What callers send and nobody may find again: names, an address, a guessed key, text that would be a line of its own. */
const marks = {
  name: 'Zaphodine',
  address: '203.0.113.199',
  guess: 'mukZaphod',
  line: 'zaphod-forged',
};
const forged = `x\r\n{"level":50,"msg":"${marks.line}"}\u001b[31m\u009b\u202e`;
const bent = encodeURIComponent(forged);

async function logLines(): Promise<string[]> {
  const folder = join(stack.dataDir, 'logs');
  const files = (await readdir(folder)).filter(
    (name) => name.includes('.log') && !/redis|postgres|valkey/.test(name),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter(Boolean));
}

/** All that Redis holds of jobs. */
async function jobs(): Promise<string> {
  const redis = connectRedis(stack.run.redisUrl, { name: 'secrets-test', onError: () => undefined });
  try {
    const kept: string[] = [];
    for (const key of await redis.keys('muster-jobs:*')) {
      const type = await redis.type(key);
      if (type === 'hash') kept.push(...Object.entries(await redis.hgetall(key)).flat());
      if (type === 'stream') kept.push(JSON.stringify(await redis.xrange(key, '-', '+')));
    }
    return kept.join('\n');
  } finally {
    redis.disconnect();
  }
}

const call = (path: string, what: Ask = {}): Promise<Answer> =>
  ask(stack.url, path, { ...what, headers: { 'x-forwarded-for': marks.address, ...what.headers } });

describe('logs and jobs', () => {
  it('have no token, key, address or name, and no line that a caller wrote', async () => {
    const token = await stack.token('secrets-player', '1h', { name: marks.name });
    const { serverToken } = await register(stack, { serverId: 'secrets-server', build: 'secrets' });
    await duel(stack, 'secrets', ['secrets-one', 'secrets-two']);
    const queued = await call('/v1/tickets', { token, body: { queue: '5v5', build: 'secrets' } });
    const { ticketId } = jsonOf<TicketView>(queued, 201);
    const hostile: [string, Ask][] = [
      ['/v1/tickets', { token: marks.guess, body: {} }],
      ['/v1/tickets', { token: `${token}x`, body: {} }],
      ['/v1/tickets', { token, body: { queue: forged, build: forged } }],
      ['/v1/tickets', { token, raw: forged }],
      [`/v1/tickets/${bent}`, { token }],
      [`/v1/tickets/${ticketId}?after=${bent}`, { token }],
      [`/v1/players/${bent}/ban`, { token: stack.run.operatorKey, method: 'PUT', body: { reason: forged } }],
      [`/v1/queues/${bent}/rules`, { token: stack.run.operatorKey }],
      [`/v1/servers/secrets-server/heartbeat`, { token: serverToken, body: { sessions: [forged] } }],
      [`/v1/servers/secrets-server/heartbeat`, { token: `${serverToken}x`, body: {} }],
      ['/v1/sign-ins', { body: { code: marks.guess } }],
      ['/v1/sign-ins', { body: { code: 'A'.repeat(43), name: marks.name } }],
      [`/${bent}`, { token }],
      ['/v1/player-names', { token: stack.run.serverKey, method: 'PUT', body: { names: { a: marks.name } } }],
      ['/v1/me/party', { token, headers: { traceparent: bent, 'user-agent': marks.line } }],
    ];
    const answers = await Promise.all(hostile.map(([path, what]) => call(path, what)));
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
    jsonOf(await call(`/v1/tickets/${ticketId}`, { token, method: 'DELETE' }));

    const lines = await logLines();
    const kept = await jobs();
    const secrets = [
      ...Object.values(marks),
      token.split('.').at(-1) ?? '',
      serverToken.split('.').at(-1) ?? '',
      stack.run.operatorKey,
      stack.run.serverKey,
    ];
    expect(lines.length).toBeGreaterThan(4);
    expect(kept.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('service');
    expect(lines.filter((line) => /\p{Cc}|\p{Cf}/u.test(line))).toEqual([]);
  });
});

describe('what is another’s', () => {
  /** An answer without what differs between any two: the id that was asked for, and the time. */
  const shapeOf = ({ status, headers, text }: Answer, id: string): unknown => {
    const { date: _date, ratelimit: _left, 'content-length': _length, ...rest } = headers;
    return { status, rest, text: text.replaceAll(id, '(id)') };
  };

  it('is answered as what does not exist, in every byte but the id', async () => {
    const owner = await stack.player('secrets-owner');
    const { ticketId } = await owner.enqueue({ queue: '5v5', build: 'secrets-owner' });
    const party = await owner.calls.createParty();
    const matched = await duel(stack, 'secrets-match', ['secrets-three', 'secrets-four']);
    const { matchId } = await matched[0].until((news) => news.matchId !== undefined);
    const token = await stack.token('secrets-stranger');
    const madeUp = (id: string): string =>
      id
        .replace(/.{6}$/, (end) => [...end].reverse().join('') + '')
        .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const asked: [string, Ask][] = [
      [`/v1/tickets/${ticketId}`, {}],
      [`/v1/tickets/${ticketId}?after=0&waitSeconds=1`, {}],
      [`/v1/tickets/${ticketId}/events`, {}],
      [`/v1/tickets/${ticketId}`, { method: 'DELETE' }],
      [`/v1/tickets/${ticketId}/accept`, { method: 'POST' }],
      [`/v1/tickets/${ticketId}/decline`, { method: 'POST' }],
      [`/v1/parties/${party.partyId}/members`, { body: {} }],
      [`/v1/parties/${party.partyId}`, { method: 'DELETE' }],
      [`/v1/parties/${party.partyId}/members/secrets-owner`, { method: 'DELETE' }],
      [`/v1/parties/${party.partyId}/members/secrets-nobody`, { method: 'DELETE' }],
      [`/v1/parties/${party.partyId}/invitations/secrets-friend`, { method: 'DELETE' }],
      [`/v1/parties/${party.partyId}/leader`, { method: 'PUT', body: { playerId: 'secrets-stranger' } }],
      [`/v1/parties/${party.partyId}/invitations`, { body: { playerId: 'secrets-friend' } }],
      [`/v1/matches/${matchId}`, {}],
      [`/v1/matches/${matchId}/behaviour-reports`, { body: { playerId: 'secrets-three', kind: 'commend' } }],
    ];
    const differ: unknown[] = [];
    for (const [path, what] of asked) {
      const id = /(?:tkt|pty|par|mat)_[\w-]+/.exec(path)?.[0] ?? '';
      const other = madeUp(id);
      const theirs = shapeOf(await ask(stack.url, path, { ...what, token }), id);
      const none = shapeOf(await ask(stack.url, path.replace(id, other), { ...what, token }), other);
      if (JSON.stringify(theirs) !== JSON.stringify(none)) differ.push({ path, theirs, none });
    }
    expect(differ).toEqual([]);
    await owner.cancel(ticketId);
  });
});
