import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Stack } from '../support/stack.js';
import { embeddedStack } from './embedded-stack.js';

const root = process.cwd();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The story's block, found by its mark; the test fails if it was moved or renamed. */
function story(): string {
  const [, block] = /<!-- story:curl -->\s+```sh\n([\s\S]*?)\n```/.exec(read('README.md')) ?? [];
  if (block === undefined) throw new Error('README.md has no ```sh block under <!-- story:curl -->');
  return block;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script as a reader would run a saved one, strictly. */
function bash(script: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-eu', '-c', script], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The indented JSON objects and lists in the output. */
function printed(stdout: string): unknown[] {
  return [...stdout.matchAll(/^(?:\{\n[\s\S]*?^\}|\[\n[\s\S]*?^\])$/gm)].map(
    ([text]) => JSON.parse(text) as unknown,
  );
}

function withFields(values: readonly unknown[], ...names: string[]): Record<string, unknown>[] {
  return values.filter(
    (value): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && names.every((name) => name in value),
  );
}

describe('the story with curl in the README', () => {
  let stack: Stack;
  let told: Ended;

  beforeAll(async () => {
    const script = story();
    stack = await embeddedStack();
    told = await bash(script, { BASE: stack.url, MUSTER_DATA_DIR: stack.dataDir });
  }, 300_000);

  it('runs as written, to its end', () => {
    expect({ code: told.code, complaints: told.code === 0 ? '' : told.stderr }).toEqual({
      code: 0,
      complaints: '',
    });
  });

  it('shows where alice connects, and every state of her ticket', () => {
    const [assignment] = withFields(printed(told.stdout), 'host', 'port', 'joinToken');
    expect(assignment).toMatchObject({ host: '127.0.0.1', port: 27_015, region: 'local' });
    expect(String(assignment?.['joinToken']).split('.')).toHaveLength(3);

    const events = [...told.stdout.matchAll(/^data: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as unknown,
    );
    const states = withFields(events, 'seq', 'state').map((event) => event['state']);
    expect(states.slice(0, 2)).toEqual(['waiting', 'proposed']);
    expect(states.at(-1)).toBe('assigned');
  });

  it('counts the result once, and puts alice above bob', () => {
    const values = printed(told.stdout);
    expect(withFields(values, 'matchId', 'counted').map((answer) => answer['counted'])).toEqual([
      true,
      false,
    ]);
    expect(withFields(values, 'playerId', 'matchesUntilShown')).toEqual([
      expect.objectContaining({ playerId: 'alice', division: null, matchesUntilShown: 49 }),
    ]);
    const ratings = new Map(
      withFields(values, 'playerId', 'mu').map((rating) => [rating['playerId'], rating]),
    );
    expect(ratings.get('alice')).toMatchObject({ pool: 'duel', matches: 1 });
    expect(ratings.get('bob')).toMatchObject({ pool: 'duel', matches: 1 });
    expect(Number(ratings.get('alice')?.['mu'])).toBeGreaterThan(25);
    expect(Number(ratings.get('bob')?.['mu'])).toBeLessThan(25);
  });

  it('explains the match, and the error of a bad request', () => {
    const values = printed(told.stdout);
    const why = values.find((value): value is string[] => Array.isArray(value));
    expect(why?.join(' ')).toMatch(/most even.*Predicted chance to win/);
    const problems = withFields(values, 'type', 'title', 'detail');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ type: 'urn:muster:problem:queue-not-found', status: 404 });
  });
});
