import { PlayerClient } from '@muster/sdk';
import { readKeys } from '@muster/embedded';
import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeIn, examples, readPage, tableAfter, type Example } from '../docs/pages.js';
import { main, muster, type Ended } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const shells = examples().filter(({ language }) => language === 'sh');
const title = ({ page, line, kind }: Example): string => `${page}:${line} ${kind ?? ''}`;

let stack: Stack;
let env: Record<string, string>;

beforeAll(async () => {
  stack = await sharedStack();
  const token = await stack.token('docs-player');
  // A finished ticket: its stream ends by itself.
  const player = new PlayerClient({ url: stack.url, token });
  const { ticketId } = await player.enqueue({ queue: '1v1', build: 'docs' });
  await player.cancel(ticketId);
  const rating = stack.run.replicas.find(({ service }) => service === 'rating');
  env = {
    BASE: stack.url,
    KEY: stack.run.serverKey,
    TOKEN: token,
    TICKET: ticketId,
    DATABASE_URL: stack.run.databaseUrl,
    RATING_GRPC: `127.0.0.1:${rating?.grpcPort}`,
    COORDINATOR_KEY: (await readKeys(stack.dataDir)).coordinator,
    MUSTER_DATA_DIR: stack.dataDir,
    MUSTER_MAIN: main,
  };
});

/** A refused call fails, and none waits indefinitely. */
const prelude = `
curl() { command curl --fail-with-body --max-time 30 "$@"; }
muster() { node "$MUSTER_MAIN" "$@"; }
`;

function bash(script: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-eu', '-c', prelude + script], { env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('shell examples in the documents', () => {
  it.each(shells.filter(({ kind }) => kind === 'run').map((each) => [title(each), each] as const))(
    '%s runs as written',
    async (_, { text }) => {
      // An open value (`…`) is the reader's own: it comes from the environment.
      const { code, stderr } = await bash(text.replaceAll(/^[A-Z_]+=\S*…\S* /gm, ''));
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it('the example in docs/grpc.md answers', async () => {
    const { code, stdout } = await bash(
      'GRPC_TOKEN=$(node docs/examples/grpc-token.mjs a-balancer) node docs/examples/ratings-over-grpc.mjs',
    );
    expect({
      code,
      lines: stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    }).toEqual({
      code: 0,
      lines: ['alice', 'bob'],
    });
  });
});

describe('the muster commands in the documents', () => {
  /** `muster pools create x --model elo` as its words, however it is invoked. */
  const commands = shells.flatMap(({ page, text }) =>
    text
      .replaceAll(/\\\n/g, ' ')
      .split('\n')
      .flatMap((line) => line.replace(/\s#.*$/, '').split(/\s\|\s/))
      .flatMap((line) => {
        const words = /(?:^|[\s(])(?:npm run (?:-s )?muster -- |muster (?!-- ))([a-z-][^)]*)/.exec(
          line.trim(),
        )?.[1];
        return words === undefined ? [] : [{ page, words: words.split(/\s+/) }];
      }),
  );
  const helpOf = new Map<string, Promise<string>>();

  /** The `--help` output of a command and its subcommand. */
  async function help(words: readonly string[]): Promise<string> {
    const [command = '', part = ''] = words;
    const asked = [command, ...(/^[a-z]+$/.test(part) ? [part] : []), '--help'];
    const key = asked.join(' ');
    const known = helpOf.get(key) ?? muster(asked).then(({ stdout }) => stdout);
    helpOf.set(key, known);
    return known;
  }

  it('exist, with their flags', async () => {
    expect(commands.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const { page, words } of commands) {
      const said = await help(words);
      const [command = ''] = words;
      if (!said.startsWith(`Usage: muster ${command}`)) wrong.push(`${page}: there is no muster ${command}`);
      for (const flag of words.filter((word) => /^--[a-z]/.test(word)))
        if (!said.includes(flag.split('=')[0] ?? flag))
          wrong.push(`${page}: muster ${words.join(' ')}: ${flag}`);
    }
    expect(wrong).toEqual([]);
  });

  it('of the runbooks exist', async () => {
    const spans = codeIn(readPage('docs/alerts.md')).filter((code) => code.startsWith('muster '));
    expect(spans.length).toBeGreaterThan(10);
    for (const span of spans) {
      const words = span.split(/\s+/).slice(1);
      const named = words.filter((word, i) => i === 0 || (i === 1 && /^[a-z]+$/.test(word)));
      expect(await help(words)).toMatch(new RegExp(`^Usage: muster ${named.join(' ')} `));
    }
  });

  it('are complete in docs/commands.md, with all flags of npm start', async () => {
    const page = readPage('docs/commands.md');
    const { stdout } = await muster(['--help']);
    const there = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(
      ([, name = '']) => name,
    );
    const told = new Set([...page.matchAll(/muster (?:-- )?([a-z]+)/g)].map(([, name = '']) => name));
    expect(there.filter((name) => !['up', 'help'].includes(name) && !told.has(name))).toEqual([]);
    expect(there.length).toBeGreaterThan(8);

    const up = await help(['up']);
    const flags = tableAfter('docs/commands.md', /^\| flag/m).map(
      ([flag = '']) => /--[a-z-]+/.exec(flag)?.[0] ?? '',
    );
    expect(flags.filter((flag) => !up.includes(`${flag} `))).toEqual([]);
    const options = [...up.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
    expect(options.filter((flag) => !page.includes(flag))).toEqual([]);
  });
});
