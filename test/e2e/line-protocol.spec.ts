import { freePort, planReplicas } from '@muster/embedded';
import { OperatorClient } from '@muster/sdk';
import fc from 'fast-check';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migratedDatabase } from '../support/database.js';
import { ask, jsonOf } from '../support/http.js';
import { LineCaller } from '../support/line-caller.js';
import { main } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';

const run = promisify(execFile);
const root = process.cwd();
const page = readFileSync(join(root, 'docs/line-protocol.md'), 'utf8');
const portOfPage = '9310';

const linesPerSecond = 10_000;
const perAddress = 40;

let stack: Stack;
/** A replica of rating with limits and a database of its own. */
let rating: OwnReplica;
let operator: OperatorClient;
let port: number;
const callers: LineCaller[] = [];

beforeAll(async () => {
  stack = await sharedStack();
  port = await freePort();
  rating = await ownReplica('rating', {
    REALM: 'lines',
    DATABASE_URL: await migratedDatabase(inject('postgresUrl')),
    TCP_PORT: String(port),
    TCP_IDLE_SECONDS: '3',
    TCP_LINES_PER_SECOND: String(linesPerSecond),
    TCP_MAX_PER_ADDRESS: String(perAddress),
  });
  operator = new OperatorClient({ url: rating.url, operatorKey: stack.run.operatorKey });
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  rating?.child.kill('SIGTERM');
  await rating?.exit;
});

async function call(): Promise<LineCaller> {
  const caller = await LineCaller.to(port);
  callers.push(caller);
  return caller;
}

/** A block of the page, found by its mark; the test fails if it was moved or renamed. */
function block(name: string): string {
  const [, text] = new RegExp(`<!-- ${name} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?\\n)\`\`\``).exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/line-protocol.md has no block under <!-- ${name} -->`);
  return text;
}

/** Runs a script of the page with the built `muster`. */
async function bash(script: string): Promise<string> {
  const program = `muster() { "${process.execPath}" "${main}" "$@"; }\n${script}`;
  const { stdout } = await run('bash', ['-eu', '-c', program], {
    env: { ...process.env, MUSTER_DATA_DIR: stack.dataDir, MUSTER_URL: rating.url },
  });
  return stdout;
}

/** Whether OpenBSD's `nc` is installed, which the page's command needs. */
function hasNc(): boolean {
  const { error, stdout, stderr } = spawnSync('nc', ['-h'], { encoding: 'utf8' });
  return !error && /usage: nc \[-\w*N/.test(`${stdout}${stderr}`);
}

/** Expects an answer. Connections just closed may still count for a moment. */
async function serves(): Promise<void> {
  for (;;) {
    const caller = await LineCaller.to(port);
    caller.send('GAME CTFGame\nMUTATOR InstaGib\nMEANBOT\n');
    const said = await caller.rest();
    if (said.includes('connections from 127.0.0.1')) continue;
    expect(said).toBe('MEANBOT 48.00 2\n');
    return;
  }
}

/** Memory of the rating service in MB; null without /proc. */
function memoryMb(): number | null {
  try {
    const status = readFileSync(`/proc/${rating.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return null;
  }
}

describe('the session of docs/line-protocol.md', () => {
  beforeAll(() => bash(block('session:setup')));

  it('runs as written', async () => {
    const session = block('session:nc').replace(portOfPage, String(port));
    if (hasNc()) {
      expect(await bash(session)).toBe(block('session:answer'));
      return;
    }
    // The same bytes, over a socket of the test.
    const [bytes = ''] = session.split('| nc -N');
    const caller = await call();
    caller.send(await bash(bytes));
    expect(await caller.rest()).toBe(block('session:answer'));
  });

  it('reflects results and operators’ changes', async () => {
    const caller = await call();
    caller.send('GAME ctfgame\nMUTATOR instagib\nPLAYER late\nBOT Xan\n');
    expect(await caller.lines(2)).toEqual(['PLAYER late', 'BOT Xan 48.00']);
    jsonOf(
      await ask(rating.url, '/v1/results', {
        token: stack.run.operatorKey,
        body: { eventId: 'lines-1', pool: 'ctf-insta', teams: [['late'], ['bot:Xan']], ranks: [1, 2] },
      }),
      201,
    );
    caller.send('PLAYER late\nBOT Xan\nMEANBOT\n');
    const [late = '', xan = '', mean] = await caller.lines(3);
    expect(Number(late.split(' ')[2])).toBeGreaterThan(50);
    expect(Number(xan.split(' ')[2])).toBeLessThan(50);
    expect(mean).toMatch(/^MEANBOT \d+\.\d\d 3$/);
    await operator.resetRating('ctf-insta', 'bot:Xan', { reason: 'Only for this test.' });
    caller.send('MEANBOT\nGAME CTFGame\nMEANBOT\nGAME Assault\nPLAYER late\n');
    expect(await caller.lines(3)).toEqual([
      'MEANBOT 48.00 2',
      'ERROR no rating pool is for CTFGame without mutators; there is CTFGame with InstaGib',
      'ERROR no rating pool is for the game type Assault; there is CTFGame',
    ]);
  });
});

describe('a port that anybody may reach', () => {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.uint8Array({ maxLength: 120 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }).map((text) => Buffer.from(text)) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom('GAME CTFGame\n', 'MUTATOR InstaGib\n', 'PLAYER ', 'BOT x\n', 'MEANBOT', '\n', '\r\n')
        .map((text) => Buffer.from(text)),
    },
    { weight: 1, arbitrary: fc.integer({ min: 500, max: 3_000 }).map((size) => Buffer.alloc(size, 'x')) },
  );
  const seed = 20_261_121;
  const strings = fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => Buffer.concat(pieces)),
    { numRuns: 10_000, seed },
  );

  /** Sends strings over successive connections, some of which are cut off in the middle. */
  async function fuzz(all: readonly Buffer[]): Promise<void> {
    const perConnection = 50;
    const groups = Array.from({ length: Math.ceil(all.length / perConnection) }, (_, i) =>
      all.slice(i * perConnection, (i + 1) * perConnection),
    );
    await Promise.all(
      Array.from({ length: 10 }, async (_, worker) => {
        for (let i = worker; i < groups.length; i += 10) {
          const caller = await LineCaller.to(port);
          for (const bytes of groups[i] ?? []) caller.send(bytes);
          if (i % 7 === 0) caller.close();
          else
            for (const line of (await caller.rest()).split('\n').slice(0, -1))
              expect(line).toMatch(/^(ERROR |PLAYER |BOT |MEANBOT )/);
        }
      }),
    );
  }

  it(`keeps serving after 10,000 random byte strings (seed ${seed}), and stores none of them`, async () => {
    // A first run compiles code and fills caches.
    await fuzz(strings.slice(0, 2_500));
    const atFirst = memoryMb();
    await fuzz(strings);
    await serves();
    expect(rating.child.exitCode ?? rating.child.signalCode).toBeNull();
    const atLast = memoryMb();
    // 10,000 strings are some 5 MB; the variance of garbage collection is less.
    if (atFirst !== null && atLast !== null) expect(atLast - atFirst).toBeLessThan(60);
  });

  it('skips an over-long line and keeps serving', async () => {
    const caller = await call();
    caller.send(`GAME CTFGame\nMUTATOR InstaGib\nPLAYER ${'x'.repeat(100_000)}\nMEANBOT\n`);
    expect(await caller.lines(2)).toEqual([
      'ERROR the line is longer than 512 bytes; it was skipped',
      'MEANBOT 48.00 2',
    ]);
  });

  it('closes an idle connection, and one that never ends its line', async () => {
    const [silent, half] = [await call(), await call()];
    half.send('GAME CTFGa');
    for (const caller of [silent, half])
      expect(await caller.farewell()).toBe(
        'ERROR no complete line arrived for 3 s; connect again to continue\n',
      );
  });

  it('enforces the rate limit, and loses no line', async () => {
    const caller = await call();
    const count = 2.5 * linesPerSecond;
    const begunMs = performance.now();
    caller.send(`GAME CTFGame\nMUTATOR InstaGib\n${'PLAYER 5f1c27a0\n'.repeat(count)}`);
    const lines = await caller.lines(count);
    expect(new Set(lines)).toEqual(new Set(['PLAYER 5f1c27a0 62.00']));
    // The burst is answered immediately; the rest takes at least a second.
    expect(performance.now() - begunMs).toBeGreaterThan(1_000);
  });

  it('is not blocked by a client that does not read, and closes its connection', async () => {
    const slow = await call();
    slow.socket.pause();
    // Short lines with long answers: some megabytes fill all buffers.
    slow.send('N\n'.repeat(200_000));
    await serves();
    // Answers are not read, so no line is read: the service counts that as idle.
    while (!slow.isOver) {
      slow.send('\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await serves();
  });

  it('limits the connections of one address, with an ERROR to the next', async () => {
    const many = await Promise.all(Array.from({ length: perAddress + 5 }, call));
    const said = await Promise.all(
      many.map(async (caller) => {
        caller.send('MEANBOT\n');
        return (await caller.lines(1))[0];
      }),
    );
    const refused = said.filter((line) => line?.includes('connections from 127.0.0.1'));
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(said.filter((line) => line?.startsWith('ERROR no game yet')).length).toBe(
      said.length - refused.length,
    );
    for (const caller of many) caller.close();
    await serves();
  });
});

it('is answered by rating alone, and only where `--tcp-port` asks for it', async () => {
  const speaking = stack.run.replicas.filter(({ tcpPort }) => tcpPort !== undefined);
  expect(speaking.map(({ service }) => service)).toEqual(['rating']);
  const caller = await LineCaller.to(speaking[0]?.tcpPort ?? 0);
  callers.push(caller);
  caller.send('MEANBOT\n');
  expect(await caller.lines(1)).toEqual([expect.stringMatching(/^ERROR no game yet/)]);
  expect((await planReplicas(1)).filter(({ tcpPort }) => tcpPort !== undefined)).toEqual([]);
});
