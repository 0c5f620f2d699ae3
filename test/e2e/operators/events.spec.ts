import { eventCatalogue, type EventType, type WebhookWithSecret } from '@muster/contracts';
import type { FollowedEvent } from '@muster/sdk';
import { freePort } from '@muster/embedded';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GameServer } from '../../support/game-server.js';
import { ask } from '../../support/http.js';
import { muster, type Ended } from '../../support/muster.js';
import { duel } from '../../support/party.js';
import { Stack } from '../../support/stack.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const build = 'events-1';
const patient = { timeout: 100_000, interval: 100 };
let dataDir: string;
let stack: Stack;
const env = { SOLVER_THREADS: '1', TICKET_EVENTS: 'on' };
const receiver = new WebhookReceiver();
const slow = new WebhookReceiver();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-events-'));
  await Promise.all([receiver.start(), slow.start()]);
  slow.mood = 'slow';
  stack = await Stack.start([], { dataDir, env });
}, 150_000);
afterAll(async () => {
  await stack?.stop();
  await Promise.all([receiver.kill(), slow.kill()]);
  const note = await readFile(join(dataDir, 'postgres-is-at.txt'), 'utf8').catch(() => null);
  for (const directory of [dataDir, ...(note === null ? [] : [note.trim()])])
    await rm(directory, { recursive: true, force: true });
}, 60_000);

/** A command of an operator. */
const run = (...args: string[]): Promise<Ended> =>
  muster([...args, '--url', stack.url, '--operator-key', stack.run.operatorKey]);

/** Rates a match that was played elsewhere. */
let reported = 0;
async function report(): Promise<void> {
  reported += 1;
  const eventId = `events-${reported}`;
  await stack.operator.reportMatch({ eventId, pool: 'default', teams: [['eve'], ['eli']], ranks: [1, 2] });
}

/** The events after a position, once `enough` is true of them. */
async function follow(after: number, enough: (events: FollowedEvent[]) => boolean): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  const stop = new AbortController();
  for await (const event of stack.operator.followEvents({ after, signal: stop.signal })) {
    events.push(event);
    if (enough(events)) stop.abort();
  }
  return events;
}

const isRated = (events: readonly { readonly type: string }[]): boolean =>
  ['match.rated', 'rating.changed'].every((type) => events.some((each) => each.type === type));

/** The events of each match, in the order of their first receipt. */
function byMatch(events: readonly { id: string; data: Record<string, unknown> }[]): Map<unknown, string[]> {
  const found = new Map<unknown, string[]>();
  for (const { id, data } of events) {
    const of = found.get(data['matchId']) ?? [];
    if (!of.includes(id)) found.set(data['matchId'], [...of, id]);
  }
  return found;
}

// Each story waits for parts of a system to end and to come back.
describe('events', { timeout: 300_000 }, () => {
  let position = 0;

  it('of a match are in the stream, with the data of the catalogue, and at a webhook, signed', async () => {
    const made = await run(
      'webhooks',
      'create',
      receiver.url,
      '--types',
      'match.*,result.*,rating.*',
      '--json',
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const webhook = JSON.parse(made.stdout) as WebhookWithSecret;
    receiver.secret = webhook.secret;
    expect((await run('webhooks', 'create', slow.url)).stdout).toContain('whsec_');
    const tested = await run('webhooks', 'test', webhook.webhookId);
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringMatching(/^ok +yes\nstatus +204$/m)]);
    expect(receiver.taken.splice(0)).toMatchObject([{ type: 'webhook.test' }]);

    const server = await GameServer.start(stack, { serverId: 'events-server', build, slots: 2 });
    const tickets = await duel(stack, build, ['eva', 'emil']);
    const { sessionId } = await (tickets[0] ?? Promise.reject(new Error('no ticket'))).assigned();
    await server.report(sessionId, { winner: 0 });

    const events = await follow(
      0,
      (found) => isRated(found) && found.some(({ type }) => type === 'ticket.assigned'),
    );
    position = events.at(-1)?.position ?? 0;
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'ticket.created')).toHaveLength(2);
    const assigned = events.find(({ type }) => type === 'ticket.assigned');
    expect(assigned?.data).toMatchObject({ queue: '1v1', players: [expect.stringMatching(/^(eva|emil)$/)] });
    expect(types.filter((type) => /^(match|session|result|rating)/.test(type)).toSorted()).toEqual(
      [
        'match.formed',
        'session.reserved',
        'session.live',
        'match.placed',
        'result.received',
        'session.ended',
        'match.ended',
        'match.rated',
        'rating.changed',
      ].toSorted(),
    );
    for (const { type, data } of events)
      expect(eventCatalogue[type as EventType].data.strict().safeParse(data).error).toBeUndefined();
    await vi.waitFor(() => expect(isRated(receiver.taken)).toBe(true), patient);
    const wanted = events.filter(({ type }) => /^(match|result|rating)/.test(type)).map(({ id }) => id);
    expect(receiver.taken.map(({ id }) => id)).toEqual(wanted);
    await server.stop();
  });

  it('are all delivered, in order per match, through a receiver that fails, is away, and a killed service', async () => {
    receiver.mood = 'fails';
    for (let i = 0; i < 5; i++) await report();
    await vi.waitFor(() => expect(receiver.turnedAway).toBeGreaterThan(2), patient);
    process.kill((await stack.pids())['assignment'] ?? 0, 'SIGKILL');
    for (let i = 0; i < 5; i++) await report();
    await receiver.kill();
    await report();
    receiver.mood = 'takes';
    await receiver.start();

    const events = await follow(
      0,
      (found) => found.filter(({ type }) => type === 'rating.changed').length >= 12,
    );
    const wanted = events.filter(({ type }) => /^(match|result|rating)/.test(type));
    const taken = (): Set<string> => new Set(receiver.taken.map(({ id }) => id));
    await vi.waitFor(() => expect(taken()).toEqual(new Set(wanted.map(({ id }) => id))), patient);
    expect(byMatch(receiver.taken)).toEqual(byMatch(wanted));
    expect(receiver.refused).toBe(0);
    expect(events.map((event) => event.position)).toEqual(events.map((_, i) => i + 1));
  });

  it('go on after a restart of everything, at the stream’s cursor and at the webhook', async () => {
    await receiver.kill();
    await report();
    await stack.stop();
    await receiver.start();
    stack = await Stack.start([], { dataDir, env });
    await report();

    const ids = (given: readonly { id: string }[]): string[] => given.map(({ id }) => id);
    const all = await follow(
      0,
      (found) => found.filter(({ type }) => type === 'rating.changed').length >= 14,
    );
    const rest = await follow(position, (found) => found.at(-1)?.position === all.at(-1)?.position);
    expect(ids(rest)).toEqual(ids(all).slice(position));
    const wanted = all.filter(({ type }) => /^(match|result|rating)/.test(type));
    await vi.waitFor(() => expect(new Set(ids(receiver.taken))).toEqual(new Set(ids(wanted))), patient);
  });

  it('are signed by both secrets during a rotation, and refused by neither', async () => {
    const [webhook] = (await stack.operator.webhooks()).webhooks;
    const old = receiver.secret;
    const { secret } = await stack.operator.rotateWebhookSecret(webhook?.webhookId ?? '');
    expect(await stack.operator.testWebhook(webhook?.webhookId ?? '')).toMatchObject({ ok: true });
    receiver.secret = secret;
    expect(await stack.operator.testWebhook(webhook?.webhookId ?? '')).toMatchObject({ ok: true });
    await stack.operator.rotateWebhookSecret(webhook?.webhookId ?? '', { overlapHours: 0 });
    expect(await stack.operator.testWebhook(webhook?.webhookId ?? '')).toMatchObject({
      ok: false,
      status: 401,
    });
    expect(old).not.toBe(secret);
  });

  it('are received by the example of the documents', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { webhookId, secret } = await stack.operator.createWebhook({ url, types: ['match.rated'] });
    const child = spawn(process.execPath, ['docs/examples/webhook-receiver.mjs'], {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    });
    let printed = '';
    child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
    await report();
    await vi.waitFor(() => expect(printed).toMatch(/^match\.rated \{.*"eve"/), patient);
    child.kill();
    await stack.operator.deleteWebhook(webhookId);
  });

  it('are printed by a command, and webhooks are listed, paused and deleted', async () => {
    const printed = await run('events', '--after', '0', '--types', 'match.rated', '--json');
    const lines = printed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as FollowedEvent);
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['match.rated']));
    const { webhooks } = await stack.operator.webhooks();
    const [, silent] = webhooks;
    // It has answered nothing, and slowed nobody.
    expect(silent).toMatchObject({ state: 'active', dead: 0 });
    expect(silent?.open).toBeGreaterThan(10);
    const id = silent?.webhookId ?? '';
    expect((await run('webhooks')).stdout).toContain(id);
    expect((await run('webhooks', 'deliveries', id, '--state', 'open')).stdout).toContain('match.formed');
    expect((await run('webhooks', 'pause', id)).stdout).toContain('paused');
    expect((await run('webhooks', 'retry', id)).stdout).toBe('retried  0\n');
    expect((await run('webhooks', 'delete', id)).code).toBe(0);
    expect(await run('webhooks', 'delete', id)).toMatchObject({ code: 1 });
  });

  it('that are no longer kept are refused with the position that is', async () => {
    const { status, text } = await ask(stack.url, '/v1/events?after=999999', {
      token: stack.run.operatorKey,
    });
    expect([status, text]).toEqual([410, expect.stringContaining('events-forgotten')]);
    const other = await ask(stack.url, '/v1/events?types=match.lost', { token: stack.run.operatorKey });
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('docs/events.md')]);
  });
});
