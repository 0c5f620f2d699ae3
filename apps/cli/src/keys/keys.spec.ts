import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { makeKeys } from './keys.js';

const dirs: string[] = [];
const fresh = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'muster-keys-'));
  dirs.push(dir);
  return dir;
};
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});

const contents = (lines: readonly string[]): string[] =>
  lines.map((line) => readFileSync(line.slice(line.indexOf('@') + 1), 'utf8'));

it('makes each key once, readable by its owner alone', async () => {
  const dir = fresh();
  const lines = await makeKeys(dir);
  expect(lines.map((line) => line.split('=')[0])).toEqual([
    'COORDINATOR_KEY',
    'SERVER_KEY',
    'OPERATOR_KEY',
    'PLAYER_JWKS',
  ]);
  const before = contents(lines);
  expect(new Set(before).size).toBe(4);
  expect(contents(await makeKeys(dir))).toEqual(before);
  for (const line of lines) expect(statSync(line.slice(line.indexOf('@') + 1)).mode & 0o077).toBe(0);
});

it('gives services the public half of the login key alone', async () => {
  const dir = fresh();
  await makeKeys(dir);
  const jwks = z
    .object({ keys: z.array(z.record(z.string(), z.unknown())).length(1) })
    .parse(JSON.parse(readFileSync(join(dir, 'keys/players.jwks'), 'utf8')));
  expect(Object.keys(jwks.keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'x']);
});

it('says what is wrong with a directory that is none', async () => {
  const file = join(fresh(), 'file');
  writeFileSync(file, '');
  await expect(makeKeys(file)).rejects.toThrow(/cannot be made or read .* Give a directory/);
  await expect(makeKeys('/proc/nope')).rejects.toThrow(/cannot be made or read .* Give a directory/);
});
