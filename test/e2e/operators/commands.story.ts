import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../../apps/cli/src/commands/define.js';
import { codeIn, tableAfter } from '../../docs/pages.js';
import { GameServer } from '../../support/game-server.js';
import { main, muster, type Ended } from '../../support/muster.js';
import { openQueue } from '../../support/open-queue.js';
import { duel, queueUp } from '../../support/party.js';
import type { Stack } from '../../support/stack.js';
import { storiesStack } from '../stories-stack.js';

let stack: Stack;
let servers: readonly GameServer[] = [];
/** What is really there, by what examples name. */
const real = new Map([
  ['ladder', 'commands'],
  ['alice', 'commands-alice'],
]);
/** An id for each example that ends something, because two commands cannot end the same. */
const own = new Map<string, string>();

const build = 'commands-1';
const pool = 'commands';
const boosters = { matches: 3, kFactor: 2, divisions: 7 };

/** Plays a bit, so that there is something to show. */
beforeAll(async () => {
  stack = await storiesStack();
  const { operator } = stack;
  const elo = { model: 'elo', parameters: { k: 24 }, gameMode: 'ctf' };
  await operator.createPool({ name: pool, ...elo, shadowMatches: 0, boosters });
  await operator.setRating(pool, 'commands-alice', { mu: 1_200, reason: 'A test.' });
  await operator.setRating(pool, 'commands-zed', { mu: 2_300, reason: 'A test.' });
  const queue = await openQueue(stack, 'commands', { pool });
  servers = await Promise.all(
    ['eu-1', 'eu-9', build].map((serverId) =>
      GameServer.start(stack, { serverId, build: serverId === build ? build : `${build}-${serverId}` }),
    ),
  );
  const server = servers.at(-1);
  const play = async (players: [string, string]): Promise<string> => {
    const [one] = await duel(stack, build, players, queue);
    const { sessionId, matchId } = await one.assigned();
    await server?.report(sessionId, { winner: 0 });
    await one.closed();
    return matchId;
  };
  real.set('mat_x7Yc0p2n', await play(['commands-alice', 'commands-cid']));
  own.set('matches void', await play(['commands-bob', 'commands-cid']));
  const [hangs] = await duel(stack, build, ['commands-dee', 'commands-eve'], queue);
  own.set('matches end', (await hangs.assigned()).matchId);
  const waiting = await queueUp(stack, ['commands-fay'], { queue: '5v5', build });
  real.set('tkt_x7Yc0p2n', waiting.ticketId);
  const { boosterId } = await operator.grantBooster(pool, {
    playerId: 'commands-zed',
    division: 'Gold',
    reason: 'A test.',
  });
  real.set('bst_4fQ2c0de', boosterId);
  const webhook = await operator.createWebhook({ url: 'http://127.0.0.1:9/hooks' });
  real.set('whk_7Yc0p2nQ', webhook.webhookId);
  const fleetKey = await operator.createFleetKey({ fleet: 'commands' });
  real.set('flk_7Yc0p2nQ', fleetKey.keyId);
  await aLogin();
  const key = await operator.createKey({ name: 'mia', role: 'viewer' });
  real.set('key_x7Yc0p2n', key.keyId);
}, 120_000);
afterAll(() => Promise.allSettled(servers.map((server) => server.stop())));

/** A document of a login, and a token of it. */
async function aLogin(): Promise<void> {
  const [issuer, alg, kid] = ['https://accounts.game.example', 'ES256', 'one'];
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const keys = [{ ...(await exportJWK(publicKey)), kid }];
  const file = join(mkdtempSync(join(tmpdir(), 'muster-commands-')), 'logins.yaml');
  const document = { logins: [{ name: 'accounts', issuer, keys: { keys }, algorithms: [alg] }] };
  writeFileSync(file, JSON.stringify(document));
  real.set('logins.yaml', file);
  const token = new SignJWT({ iss: issuer, sub: 'commands-alice' }).setProtectedHeader({ alg, kid });
  real.set('eyJhbGciOi…', await token.setIssuedAt().setExpirationTime('1h').sign(privateKey));
}

/** Examples that need what nothing here makes; they are refused in a sentence. */
const refused = new Map([
  ['jobs show', /no dead letter/],
  ['conflicts decide', /No results contradict/],
  ['cases show', /no case/],
  ['cases close', /no case/],
  ['penalties lift', /no penalty/],
  ['penalties impose', /no penalty/],
  ['seasons standings', /season 0|not over|has not begun|no season/i],
  ['seasons withdraw', /season/i],
  ['seasons preview', /./],
]);
/** A second time there is nothing left to do it to. */
const once = new Set(['webhooks delete', 'servers remove', 'jobs show', 'keys create']);
/** Their outcome is that of the example's receiver, which does not answer. */
const failing = new Set(['webhooks test']);

/** The words of an example, with what is there in the place of what it names. @param mine the id for this one alone */
function wordsOf(example: string, mine?: string): string[] {
  const given = [...example.matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole);
  return given.map((word) => (/_/.test(word) ? mine : undefined) ?? real.get(word) ?? word);
}

const run = (...args: string[]): Promise<Ended> => muster([...args, '--data-dir', stack.dataDir]);

describe('every command of the tables', () => {
  it.each(rows.map(({ words, example }) => [words, example] as const))(
    'muster %s %s',
    async (words, example) => {
      const args = wordsOf(`${words} ${example}`, own.get(words));
      const isExport = words.endsWith('export');
      const forms = once.has(words) || isExport ? [[]] : [[], ['--json']];
      for (const more of forms) {
        const { code, stdout, stderr } = await run(...args, ...more);
        const says = refused.get(words);
        if (code === 1 && says && !failing.has(words)) {
          expect(stderr).toMatch(says);
          expect(stderr).not.toMatch(/\n {4}at /);
          continue;
        }
        expect({ code, stderr }).toEqual({ code: failing.has(words) ? 1 : 0, stderr: '' });
        expect(stdout).not.toMatch(/undefined|\[object|NaN/);
        expect(stdout).not.toContain('\u001B');
        if (more.length === 0) expect(stdout.trim()).not.toBe('');
        else expect(JSON.parse(stdout)).toBeTypeOf('object');
      }
    },
  );

  it('have one name each, and an example', () => {
    const names = rows.map(({ words }) => words);
    expect(new Set(names).size).toBe(names.length);
  });
});

/** Questions whose command changes nothing and is a row of the tables. */
const reads = tableAfter('docs/night.md', '# Questions').flatMap(([, cell = '']) =>
  codeIn(cell).filter((text) => /^muster (statistics|\w+ (list|waiting|show|queues))\b/.test(text)),
);

describe('a question at night', () => {
  it.each(reads)('%s is answered', async (text) => {
    const { code, stderr } = await run(...wordsOf(text).slice(1));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('muster status and top', () => {
  it('tell how the system is doing, once where there is no terminal', async () => {
    await queueUp(stack, ['commands-ann'], { queue: '1v1', build: 'status' });
    const { stdout } = await run('status');
    expect(stdout).toMatch(/queue ok .*rating ok/);
    expect(stdout).toMatch(/^1v1 +[1-9]/m);
    const top = await run('top', '--json');
    expect(top.code).toBe(0);
    const now = JSON.parse(top.stdout) as { queues: { queue: string; waitFor: object }[] };
    expect(now.queues.find(({ queue }) => queue === '1v1')?.waitFor).not.toEqual({});
    expect((await run('top')).stdout).not.toContain('\u001B');
  });
});

/** Runs a command in a terminal of its own until `seen` is on the screen, then presses a key. */
function inTerminal(args: readonly string[], seen: RegExp, key: string): Promise<Ended> {
  const line = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qfec', `stty cols 60 rows 12; ${line}`, '/dev/null']);
  let [stdout, isPressed] = ['', false];
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
    // Once: a terminal echoes what nobody reads, and that is data again.
    if (!isPressed && seen.test(stdout)) isPressed = child.stdin.write(key);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr: '' })));
}

describe.skipIf(spawnSync('script', ['--version']).error)('muster top in a terminal', () => {
  it('draws on the other screen until q, within its size', async () => {
    const { code, stdout } = await inTerminal(['top', '--data-dir', stack.dataDir], /5v5/, 'q');
    expect(code).toBe(0);
    expect(stdout).toContain('\u001B[?1049h');
    expect(stdout.lastIndexOf('\u001B[?1049l')).toBeGreaterThan(stdout.lastIndexOf('q quits'));
    const drawn = stdout.split('\u001B[H').at(1) ?? '';
    const lines = stripVTControlCharacters(drawn).split('\r\n');
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(Math.max(...lines.map((each) => each.trimEnd().length))).toBeLessThanOrEqual(60);
  });
});

describe('exit codes', () => {
  it('tell what was refused, not understood, and not reached', async () => {
    expect((await run('tickets', 'show', 'tkt_00000000')).code).toBe(1);
    expect((await run('tickets', 'show', 'x')).code).toBe(2);
    expect((await run('ticket', 'sow')).code).toBe(2);
    expect((await run('queues', '--url', 'http://127.0.0.1:1')).code).toBe(3);
  });
});
