import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { programOf } from './program.js';

let root: string;
const dist = (): string => join(root, 'apps/queue/dist');

function bundle(madeOf: Readonly<Record<string, string>>): void {
  const sums = Object.entries(madeOf).map(([path, text]) => [
    path,
    createHash('sha256').update(text).digest('hex'),
  ]);
  writeFileSync(join(dist(), 'bundle/made-of.json'), JSON.stringify(Object.fromEntries(sums)));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-program-'));
  mkdirSync(join(dist(), 'bundle'), { recursive: true });
  writeFileSync(join(dist(), 'main.js'), 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the file that runs an app', () => {
  it('is the bundle when that is of what is built', () => {
    bundle({ 'apps/queue/dist/main.js': 'one' });
    expect(programOf('queue', root)).toBe(join(dist(), 'bundle/main.js'));
  });

  it.each([
    ['there is no bundle', undefined],
    ['a module was built anew since', { 'apps/queue/dist/main.js': 'zero' }],
    ['a module is gone', { 'apps/queue/dist/main.js': 'one', 'libs/domain/dist/gone.js': '' }],
  ])('is the one that tsc made when %s', (_, madeOf) => {
    if (madeOf) bundle(madeOf);
    expect(programOf('queue', root)).toBe(join(dist(), 'main.js'));
  });
});
