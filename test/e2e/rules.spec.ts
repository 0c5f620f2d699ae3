import { rulesDocumentSchema, type Problem, type TicketView } from '@muster/contracts';
import type { QueueRules } from '@muster/domain';
import { PostgresRulesStore } from '../../apps/queue/src/rules/rules.store.js';
import type { TryResult } from '@muster/matchmaking';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { ask, jsonOf, problemOf, type Answer } from '../support/http.js';
import { muster, type Ended } from '../support/muster.js';
import { openRules as open } from '../support/open-queue.js';
import { queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';
import { createDb } from '../support/prisma.js';

const build = 'rules-1';
/** Players more than half a point apart never meet. */
const close = [{ afterSeconds: 0, limit: 0.5 }];

let stack: Stack;
let server: GameServer;
let folder: string;

beforeAll(async () => {
  stack = await sharedStack();
  server = await GameServer.start(stack, { serverId: 'rules-server', build, slots: 200 });
  folder = await mkdtemp(join(tmpdir(), 'muster-rules-'));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const put = (queue: string, body: unknown): Promise<Answer> =>
  ask(stack.url, `/v1/queues/${queue}/rules`, { method: 'PUT', token: stack.run.operatorKey, body });
const apply = (rules: QueueRules, appliesTo: 'new' | 'all' = 'new', why = '') =>
  stack.operator.applyRules(rules.name, { rules, appliesTo, why });
const ticketOf = async (playerId: string, queue: string): Promise<TicketView> =>
  (await stack.player(playerId)).enqueue({ queue, build });

describe('C19 rules over HTTP', () => {
  it('have versions with time and reason; the newest is in force', async () => {
    const queue = 'rules-http';
    const made = await stack.operator.applyRules(queue, {
      rules: open(queue),
      why: 'a start',
      expectedVersion: 0,
    });
    expect(made).toMatchObject({ queue, version: 1, changed: true, appliesTo: 'new', why: 'a start' });
    const next = open(queue, { ticketTtlSeconds: 60, roles: { tank: 1 } });
    const changed = await stack.operator.applyRules(queue, {
      rules: next,
      why: 'shorter',
      expectedVersion: 1,
    });
    expect(changed).toMatchObject({ version: 2, changed: true, rules: next });
    expect(await apply(next)).toMatchObject({ version: 2, changed: false, why: 'shorter' });

    const { versions } = await stack.operator.rules(queue);
    expect(versions.map(({ version, why, rules }) => [version, why, rules])).toEqual([
      [2, 'shorter', next],
      [1, 'a start', open(queue)],
    ]);
    expect(Math.abs(Date.now() - (versions[0]?.createdAt ?? 0))).toBeLessThan(60_000);
    expect((await stack.operator.rules(queue, { version: 1 })).versions).toEqual([versions[1]]);
    expect((await stack.operator.rules(queue, { before: 2, limit: 5 })).versions).toEqual([versions[1]]);
    const { queues } = await stack.operator.queues();
    expect(queues.find(({ name }) => name === queue)).toEqual({ ...next, version: 2 });
    expect(queues.find(({ name }) => name === '1v1')).toMatchObject({ pool: 'duel', version: 1 });
  });

  it('are described by a public schema', async () => {
    const answer = await ask(stack.url, '/v1/queue-rules.schema.json');
    expect(answer.headers['content-type']).toMatch(/^application\/schema\+json/);
    expect(jsonOf(answer)).toEqual(JSON.parse(JSON.stringify(rulesDocumentSchema())));
  });

  it('that are invalid are refused with path and reason, and nothing changes', async () => {
    const queue = 'rules-nonsense';
    await apply(open(queue));
    const narrow = [
      { afterSeconds: 0, limit: 8 },
      { afterSeconds: 20, limit: 4 },
    ];
    const answer = await put(queue, { rules: open(queue, { skillWindow: narrow, maxPartySize: 3 }) });
    const problem = JSON.parse(answer.text) as Problem;
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(problem.errors).toEqual([
      { path: 'rules.maxPartySize', message: expect.stringMatching(/at most 1 \(teamSize\), not 3/) },
      {
        path: 'rules.skillWindow.1.limit',
        message: 'a limit may not narrow with waiting (was 8, is 4)',
      },
    ]);
    const wrong: [unknown, number, string, RegExp][] = [
      [{ rules: { ...open(queue), elo: 1 } }, 400, 'invalid-request', /no field "elo" here/],
      [{ rules: open('other') }, 422, 'rules-invalid', /these are the rules of "other"/],
      [{ rules: open(queue, { pool: 'none' }) }, 422, 'rules-invalid', /no rating pool "none"/],
      [
        { rules: open(queue, { mode: 'x' }), expectedVersion: 7 },
        409,
        'rules-changed',
        /at version 1, not 7/,
      ],
      [
        { rules: open(queue, { mode: 'x' }), expectedVersion: 0 },
        409,
        'rules-changed',
        /already, at version 1/,
      ],
      [{ rules: open(queue), appliesTo: 'some' }, 400, 'invalid-request', /appliesTo/],
    ];
    for (const [body, status, code, says] of wrong)
      expect(problemOf(await put(queue, body))).toEqual({
        status,
        code,
        detail: expect.stringMatching(says),
      });
    expect((await stack.operator.rules(queue)).versions.map(({ version }) => version)).toEqual([1]);
  });

  it('are for operators only', async () => {
    const token = await stack.token('rules-player');
    for (const method of ['GET', 'PUT'] as const) {
      const body = method === 'PUT' ? { body: { rules: open('1v1') } } : {};
      const answer = await ask(stack.url, '/v1/queues/1v1/rules', { method, token, ...body });
      expect(problemOf(answer)).toMatchObject({ status: 403, code: 'not-allowed' });
    }
    const operator = { token: stack.run.operatorKey };
    const none = await ask(stack.url, '/v1/queues/rules-none/rules', operator);
    expect(problemOf(none)).toMatchObject({ status: 404, code: 'queue-not-found' });
    const late = await ask(stack.url, '/v1/queues/1v1/rules?version=99', operator);
    expect(problemOf(late)).toMatchObject({ status: 404, code: 'rules-version-not-found' });
  });
});

describe('C19 a change without a restart', () => {
  it('applies to the next ticket; a waiting one keeps its rules', async () => {
    const queue = 'rules-told';
    await apply(open(queue, { skillWindow: close }));
    const first = await ticketOf('rules-told-1', queue);
    await apply(open(queue, { skillWindow: close, ticketTtlSeconds: 100 }));
    await stack.operator.setRating('duel', 'rules-told-2', { mu: 40, sigma: 1, reason: 'far away' });
    const second = await ticketOf('rules-told-2', queue);
    const life = ({ expiresAt, enqueuedAt }: TicketView): number => expiresAt - enqueuedAt;
    expect([first.rulesVersion, life(first)]).toEqual([1, 600_000]);
    expect([second.rulesVersion, life(second)]).toEqual([2, 100_000]);
    const again = await (await stack.player('rules-told-1')).read(first.ticketId);
    expect(again).toMatchObject({ state: 'waiting', rulesVersion: 1, expiresAt: first.expiresAt });
  });

  it('creates a queue whose tickets are matched', async () => {
    const queue = 'rules-new';
    await apply(open(queue));
    const tickets = await Promise.all(
      ['rules-new-1', 'rules-new-2'].map((playerId) => queueUp(stack, [playerId], { queue, build })),
    );
    const [one, other] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
    expect(one?.matchId).toBe(other?.matchId);
  });

  it('does not affect waiting tickets, until it is applied to them', async () => {
    const queue = 'rules-waiting';
    await apply(open(queue, { skillWindow: close }));
    await stack.operator.setRating('duel', 'rules-waiting-1', { mu: 40, sigma: 1, reason: 'far away' });
    await stack.operator.setRating('duel', 'rules-waiting-3', { mu: 40, sigma: 1, reason: 'far away' });
    const tickets = await Promise.all(
      ['rules-waiting-1', 'rules-waiting-2'].map((playerId) => queueUp(stack, [playerId], { queue, build })),
    );
    await apply(open(queue));
    // New tickets get the wide window; with another build, they only meet each other.
    const witnesses = await Promise.all(
      ['rules-waiting-3', 'rules-waiting-4'].map((playerId) =>
        queueUp(stack, [playerId], { queue, build: 'rules-2' }),
      ),
    );
    await Promise.all(witnesses.map((ticket) => ticket.until(({ state }) => state === 'placing')));
    for (const ticket of tickets)
      expect(await ticket.read()).toMatchObject({ state: 'waiting', rulesVersion: 1 });

    // The same rules: only the tickets they apply to change.
    expect(await apply(open(queue), 'all', 'nobody found a match')).toMatchObject({ version: 3 });
    const [one, other] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
    expect(one?.matchId).toBe(other?.matchId);
    // Their explanation follows their rules.
    for (const ticket of tickets) expect(await ticket.read()).toMatchObject({ rulesVersion: 3 });
  });

  it('by another replica is noticed', async () => {
    const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
    try {
      const rules = open('rules-elsewhere');
      await new PostgresRulesStore(db).change({ rules, why: '', appliesTo: 'new' }, Date.now());
      await until(async () =>
        (await stack.operator.queues()).queues.some(({ name }) => name === 'rules-elsewhere'),
      );
      expect(await ticketOf('rules-elsewhere-1', 'rules-elsewhere')).toMatchObject({ rulesVersion: 1 });
    } finally {
      await db.$disconnect();
    }
  });

  it('loses no ticket, however frequent', async () => {
    const queue = 'rules-load';
    // Tickets of two modes do not meet, so every change leaves some over until the last one applies to all.
    const rules = (i: number): QueueRules =>
      open(queue, { mode: i % 2 === 0 ? 'day' : 'night', placementTimeoutSeconds: 100 + i });
    await apply(rules(0));
    const changes = 12;
    let changing = true;
    const applying = (async () => {
      for (let i = 1; i <= changes; i++) await apply(rules(i), i % 3 === 0 ? 'all' : 'new');
      changing = false;
    })();
    const queued: Awaited<ReturnType<typeof queueUp>>[] = [];
    // More tickets while rules change, and an even number at the end.
    while (changing || queued.length < 40 || queued.length % 2 === 1) {
      const playerId = `rules-load-${queued.length}`;
      queued.push(await queueUp(stack, [playerId], { queue, build }));
      if (queued.length >= 300) break;
    }
    await applying;
    expect(new Set((await stack.operator.rules(queue)).versions.map(({ version }) => version)).size).toBe(
      changes + 1,
    );
    await apply(rules(changes + 1), 'all');
    await Promise.all(queued.map((ticket) => ticket.assigned()));
    const ended = await Promise.all(queued.map((ticket) => ticket.read()));
    expect(ended.filter(({ state }) => state !== 'assigned')).toEqual([]);
    const perMatch = new Map<string, number>();
    for (const { matchId = '' } of ended) perMatch.set(matchId, (perMatch.get(matchId) ?? 0) + 1);
    expect([...perMatch.values()].every((players) => players === 2)).toBe(true);
  });
});

describe('muster rules', () => {
  const queue = 'rules-cli';
  const file = (): string => join(folder, 'rules.yaml');
  const run = (...args: string[]): Promise<Ended> => muster(['rules', ...args, '--data-dir', stack.dataDir]);
  const change = async (from: string | RegExp, to: string): Promise<void> => {
    const text = await readFile(file(), 'utf8');
    expect(text).toMatch(from);
    await writeFile(file(), text.replace(from, to));
  };

  it('creates, shows, changes, inspects and restores a queue', async () => {
    await writeFile(file(), JSON.stringify(open(queue)));
    expect(await run('apply', file(), '--why', 'a start')).toEqual({
      code: 0,
      stdout: `${queue}: a new queue, at version 1.\n`,
      stderr: '',
    });

    const shown = await run('show', queue);
    expect(shown.stdout).toMatch(/^# rules-cli, version 1, since 20.*: a start\nname: rules-cli\n/);
    await writeFile(file(), shown.stdout);
    expect((await run('diff', file())).stdout).toMatch(
      /^rules-cli: as in force \(version 1\)\nNot in the file.*1v1/,
    );

    await change('- { afterSeconds: 0, limit: null }', '- { afterSeconds: 0, limit: 6 }');
    expect((await run('diff', file())).stdout).toMatch(
      /^rules-cli: 1 difference to version 1\n {2}rules-cli\.skillWindow\[0\]\.limit: null -> 6\n/,
    );
    const applied = await run('apply', file(), '--to-waiting', '--json');
    expect(JSON.parse(applied.stdout)).toEqual({
      queues: [
        {
          queue,
          before: 1,
          version: 2,
          changed: true,
          differences: [{ path: 'rules-cli.skillWindow[0].limit', before: null, after: 6 }],
        },
      ],
    });
    expect((await run('apply', file())).stdout).toBe(`${queue}: already in force (version 2).\n`);

    const listed = await run('versions', queue);
    expect(listed.stdout).toMatch(
      /version +since \(UTC\) +applies to +why\n +2 .* all\n +1 .* new +a start\n$/,
    );
    const first = await run('show', queue, '--at', '1', '--json');
    const back = await muster(
      ['rules', 'apply', '-', '--data-dir', stack.dataDir],
      {},
      undefined,
      first.stdout,
    );
    expect(back.stdout).toMatch(/^rules-cli: version 2 -> 3; waiting tickets keep their rules\.\n/);
    expect((await stack.operator.rules(queue, { limit: 1 })).versions[0]?.rules).toEqual(open(queue));
  });

  it('shows all queues as one valid document', async () => {
    const { stdout } = await run('show');
    await writeFile(file(), stdout);
    const checked = await muster(['rules', 'check', file()]);
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is valid: the rules of \d+ queues/),
    });
    const document = JSON.parse((await run('show', '--json')).stdout) as { queues: { name: string }[] };
    expect(document.queues.map(({ name }) => name)).toEqual(expect.arrayContaining(['1v1', '5v5', queue]));
  });

  it('reports position and reason of an error, and changes nothing', async () => {
    const other = open('rules-cli-2', { pool: 'none' });
    await writeFile(file(), (await run('show', queue)).stdout.replace(/limit: null/, 'limit: none'));
    const checked = await muster(['rules', 'check', file()]);
    expect(checked).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file()}:9:24 skillWindow[0].limit: must be a number above 0, 1000000000 at most, or null for no limit any more, not "none"\n`,
    });
    const json = JSON.parse((await muster(['rules', 'check', file(), '--json'])).stdout) as object;
    expect(json).toMatchObject({ ok: false, flaws: [{ line: 9, column: 24, path: 'skillWindow[0].limit' }] });
    expect(await run('apply', file())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(':9:24 '),
    });

    await writeFile(file(), JSON.stringify([open(queue, { mode: 'other' }), other], null, 2));
    const refused = await run('apply', file());
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^muster: Nothing was changed:\n.*rules\.yaml:\d+:5 \[1\]\.pool: there is no rating pool "none", but .*duel.*muster pools create none/,
    );
    expect((await stack.operator.rules(queue, { limit: 1 })).versions[0]?.rules.mode).toBe('duel');
    const refusals: [string[], RegExp][] = [
      [['show', 'rules-none'], /There is no queue "rules-none"; there is /],
      [['versions', 'rules-none'], /There is no queue "rules-none"; there is /],
      [['show', '--at', '1'], /Name the queue of the version/],
      [['show', 'Rules'], /The name of a queue must hold only small letters/],
    ];
    const ended = await Promise.all(refusals.map(([args]) => run(...args)));
    expect(ended).toEqual(
      refusals.map(([, says], i) => ({
        code: ended[i]?.stderr.startsWith('error: ') ? 2 : 1,
        stdout: '',
        stderr: expect.stringMatching(says),
      })),
    );
  });

  it('prints the schema', async () => {
    const { stdout } = await muster(['rules', 'schema', '--json']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(rulesDocumentSchema())));
  });

  it('teaches', async () => {
    const names = ['check', 'show', 'diff', 'try', 'record', 'apply', 'versions', 'schema'];
    const helps = await Promise.all(names.map((name) => muster(['rules', name, '--help'])));
    for (const [i, name] of names.entries())
      expect(helps[i]).toMatchObject({ code: 0, stdout: expect.stringContaining(`muster rules ${name} `) });
    const { stderr } = await muster(['rules']);
    expect(stderr).toContain('Examples: muster rules show 5v5 > 5v5.yaml');
  });
});

describe('muster rules try', () => {
  const queue = 'rules-try';
  const within = (limit: number | null): QueueRules =>
    open(queue, { skillWindow: [{ afterSeconds: 0, limit }] });
  const run = (...args: string[]): Promise<Ended> => muster(['rules', ...args, '--data-dir', stack.dataDir]);
  const write = async (name: string, rules: QueueRules): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(rules));
    return path;
  };
  /** The matches of a result, and the outcomes that occurred. */
  const fared = (result: TryResult): object => ({
    matches: result.matches,
    ...Object.fromEntries(Object.entries(result.ends).filter(([, tickets]) => tickets > 0)),
  });

  it('compares rules over the tickets of the last hour', async () => {
    await apply(within(5));
    const wide = await write('wide.yaml', within(null));
    const none = await run('try', wide);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toMatch(/No tickets of "rules-try" were recorded in the last hour/);

    const skills = { ann: 25, ben: 27, cid: 40, dan: 33 };
    for (const [name, mu] of Object.entries(skills))
      await stack.operator.setRating('duel', `rules-try-${name}`, { mu, sigma: 1, reason: 'known' });
    const queueOf = (name: string) => queueUp(stack, [`rules-try-${name}`], { queue, build });
    const [ann, ben] = [await queueOf('ann'), await queueOf('ben')];
    await Promise.all([ann, ben].map((ticket) => ticket.assigned()));
    const [cid, dan] = [await queueOf('cid'), await queueOf('dan')];
    const { enqueuedAt } = await dan.read();
    await until(async () => Date.now() > enqueuedAt + 600);
    await cid.leader.cancel(cid.ticketId);

    const record = join(folder, 'record.jsonl');
    const saved = await run('record', record, '--queue', queue);
    expect(saved).toMatchObject({
      code: 0,
      stdout: `${record}: 4 tickets of rules-try that waited in the last hour.\n`,
    });
    const [head, ...lines] = (await readFile(record, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(head).toMatchObject({ queue, rules: { ...within(5), version: 1 } });
    expect(lines.map(({ ticketId, outcome }) => [ticketId, outcome])).toEqual([
      [ann.ticketId, 'matched'],
      [ben.ticketId, 'matched'],
      [cid.ticketId, 'cancelled'],
      [dan.ticketId, 'waiting'],
    ]);
    expect(lines[0]).toMatchObject({
      matchId: expect.any(String),
      players: [{ playerId: 'rules-try-ann', mu: 25 }],
    });
    expect(JSON.stringify(lines)).not.toContain('fingerprint');

    const tried = async (file: string, ...more: string[]): Promise<Record<string, TryResult>> => {
      const { code, stdout, stderr } = await run('try', file, '--json', ...more);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout) as Record<string, TryResult>;
    };
    const asItWas = { matches: 1, matched: 2, left: 1, waiting: 1 };
    // With a file it calls no coordinator: there is none at that address.
    const fromFile = await tried(wide, '--tickets', record, '--url', 'http://127.0.0.1:1');
    expect(
      [fromFile['recorded'], fromFile['inForce'], fromFile['tried']].map((each) => each && fared(each)),
    ).toEqual([asItWas, asItWas, { matches: 2, matched: 4 }]);
    const narrow = await tried(await write('narrow.yaml', within(1)));
    expect([narrow['inForce'], narrow['tried']].map((each) => each && fared(each))).toEqual([
      asItWas,
      { matches: 0, left: 1, waiting: 3 },
    ]);

    const { stdout } = await run('try', wide, '--tickets', record, '--against', join(folder, 'narrow.yaml'));
    expect(stdout).toMatch(/^rules-try: 4 tickets that waited from .* UTC\n/);
    expect(stdout).toMatch(/\n {13,}as recorded {2}narrow\.yaml, replayed {2}wide\.yaml, replayed\n/);
    expect(stdout).toMatch(/\nmatches +1 +0 +2\n/);
    expect(stdout).toMatch(/\n {2}2 tickets would have found a match that found none\n/);

    await writeFile(record, 'no record\n');
    expect((await run('try', wide, '--tickets', record)).stderr).toMatch(/record\.jsonl:1 is not JSON/);
    const other = await write('other.yaml', open('rules-try-2'));
    expect((await run('try', other)).stderr).toMatch(/There is no queue "rules-try-2"; there is /);
    expect(JSON.parse((await run('try', other, '--queue', queue, '--json')).stdout)).toMatchObject({ queue });
  });

  it('reads the record as an operator', async () => {
    const path = `/v1/queues/${queue}/recorded`;
    const token = await stack.token('rules-try-ann');
    expect(problemOf(await ask(stack.url, path, { token }))).toMatchObject({
      status: 403,
      code: 'not-allowed',
    });
    const operator = { token: stack.run.operatorKey };
    expect(problemOf(await ask(stack.url, `${path}?hours=2`, operator))).toMatchObject({ status: 400 });
    const answer = await ask(stack.url, path, operator);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const none = await ask(stack.url, '/v1/queues/rules-none/recorded', operator);
    expect(problemOf(none)).toMatchObject({ status: 404, code: 'queue-not-found' });
  });
});
