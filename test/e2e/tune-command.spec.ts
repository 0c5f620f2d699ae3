import { seededRandom } from '@muster/domain';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { muster, type Ended } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
let folder: string;
let season: string;

const run = (...args: string[]): Promise<Ended> => muster([...args, '--data-dir', stack.dataDir]);

interface Line {
  readonly matches: number;
  readonly now: { readonly rules: { readonly model: string } };
  readonly better: {
    readonly rules: { readonly model: string; readonly parameters: object };
    readonly gain: { readonly from: number };
  } | null;
}

/** Duels of 16 players, each better than the one before. */
function seasonRows(): string[] {
  const random = seededRandom(31);
  return Array.from({ length: 600 }, (_, i) => {
    const one = Math.floor(random() * 16);
    const other = (one + 1 + Math.floor(random() * 15)) % 16;
    const wins = random() < 1 / (1 + Math.exp(-0.5 * (one - other)));
    const time = new Date(Date.UTC(2026, 0, 1, i)).toISOString().slice(0, 19);
    return `t${i},${time},p${one};p${other},${wins ? '1;2' : '2;1'},`;
  });
}

beforeAll(async () => {
  stack = await sharedStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-tune-'));
  season = join(folder, 'season.csv');
  await writeFile(season, ['match_id,time,teams,ranks,context', ...seasonRows(), ''].join('\n'));
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true });
});

describe('muster pools tune', () => {
  it('compares rules on a file, and changes nothing', async () => {
    const { code, stdout, stderr } = await muster(['pool', 'tune', season]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /season\.csv: 600 matches\. 360 decided matches choose, the last 120 tell the gain\.$/m,
    );
    expect(stdout).toMatch(/^ {2}elo kRule=decay decayA=250 decayB=5 decayC=0\.4 +0\.\d{4} /m);
    expect(stdout).toMatch(/^ {2}stacked \(measured only\): /m);
    const applied = await muster(['pool', 'tune', season, '--apply']);
    expect(applied.code).toBe(1);
    expect(applied.stderr).toMatch(/name a pool in place of the file/);
  });

  it('finds better rules for a pool from its ledger, and applies them', async () => {
    const created = await run('pool', 'create', 'tuned', '--model', 'elo', '--set', 'k=0');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect((await run('replay', season, '--pool', 'tuned', '--model', 'elo')).code).toBe(0);
    const found = await run('pool', 'tune', 'tuned', '--json');
    const { matches, now, better } = JSON.parse(found.stdout) as Line;
    expect({ code: found.code, matches, model: now.rules.model }).toEqual({
      code: 0,
      matches: 600,
      model: 'elo',
    });
    expect(better?.gain.from).toBeGreaterThan(0);
    const before = await stack.operator.pool('tuned');

    const applied = await run('pool', 'tune', 'tuned', '--apply');
    expect(applied.code).toBe(0);
    expect(applied.stdout).toMatch(/Better: /);
    expect(applied.stdout).toMatch(/Rated 600 events of "tuned" under /);
    const after = await stack.operator.pool('tuned');
    expect(after.generation).toBe(before.generation + 1);
    expect(after.rules.model).toBe(better?.rules.model);
    expect(after.rules.parameters).toEqual(better?.rules.parameters);
    const [rebuild] = (await stack.operator.rebuilds('tuned')).rebuilds;
    expect(rebuild?.reason).toMatch(
      /^Tuned: the last 120 matches are predicted better by 0\.\d+ in log-loss\.$/,
    );
  }, 120_000);

  it('explains the error of an unknown pool', async () => {
    const { code, stderr } = await run('pool', 'tune', 'nobody');
    expect(code).toBe(1);
    expect(stderr).toMatch(/There is no rating pool "nobody"/);
  });
});
