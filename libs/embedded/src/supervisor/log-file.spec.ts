import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogFile } from './log-file.js';

let dir: string;
let path: string;
let mounted = false;
const changes: (Error | null)[] = [];
const changed = (error: Error | null): void => void changes.push(error);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'muster-log-'));
  path = join(dir, 'queue.log');
  changes.length = 0;
});
afterEach(() => {
  if (mounted) execFileSync('umount', [dir]);
  mounted = false;
  rmSync(dir, { recursive: true, force: true });
});

const line = (n: number): string => `${String(n).padStart(9, '0')}\n`;

/** A disk of 64 KiB. @returns false where mounting is not allowed */
function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir], { stdio: 'ignore' });
    mounted = true;
  } catch {
    mounted = false;
  }
  return mounted;
}

describe('the log of a process', () => {
  it('is rotated by size, into few files, between lines', () => {
    const log = new LogFile(path, { maxBytes: 100, keep: 2 }, changed);
    for (let n = 1; n <= 45; n++) log.write(line(n));
    log.close();
    expect(readdirSync(dir).toSorted()).toEqual(['queue.log', 'queue.log.1', 'queue.log.2']);
    const read = (name: string): number[] =>
      readFileSync(join(dir, name), 'utf8').trim().split('\n').map(Number);
    expect(read('queue.log')).toEqual([41, 42, 43, 44, 45]);
    expect(read('queue.log.1')).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40]);
    expect(read('queue.log.2')[0]).toBe(21);
  });

  it('is rotated at the end of a line, or at a maximum size', () => {
    const log = new LogFile(path, { maxBytes: 100, keep: 1 }, changed);
    log.write('x'.repeat(95));
    log.write('y'.repeat(10));
    log.write('\n');
    log.write('z\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe(`${'x'.repeat(95)}${'y'.repeat(10)}\n`);
    for (let i = 0; i < 50; i++) log.write('w'.repeat(10));
    log.close();
    expect(statSync(path).size).toBeLessThanOrEqual(200);
  });

  it('continues the file of an earlier run', () => {
    writeFileSync(path, line(1).repeat(9));
    const log = new LogFile(path, { maxBytes: 100, keep: 1 }, changed);
    log.write(line(2));
    log.write(line(3));
    log.close();
    expect(readFileSync(path, 'utf8')).toBe(line(3));
  });

  it('survives a full disk, reports it once, and resumes when there is space', ({ skip }) => {
    if (!mountSmallDisk()) skip('only root may mount a small disk');
    let now = 0;
    const log = new LogFile(path, { maxBytes: 1_000_000, keep: 1 }, changed, () => now);
    writeFileSync(join(dir, 'filler'), 'f'.repeat(32_768));
    for (let n = 1; n <= 10_000; n++) {
      log.write(line(n));
      now += 10;
    }
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ code: 'ENOSPC' });
    rmSync(join(dir, 'filler'));
    now += 1_000;
    log.write('there is room\n');
    log.close();
    expect(changes).toEqual([changes[0], null]);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.slice(-2)).toEqual(['there is room', '']);
    expect(JSON.parse(lines.at(-3) ?? '')).toMatchObject({ level: 40, bytes: expect.any(Number) });
    expect(lines[0]).toBe('000000001');
  });

  it('survives a folder that is removed and returns', () => {
    let now = 0;
    const inner = join(dir, 'logs');
    const log = new LogFile(join(inner, 'queue.log'), { maxBytes: 100, keep: 1 }, changed, () => now);
    log.write('lost\n');
    mkdirSync(inner);
    log.write('lost as well, for nothing is tried yet\n');
    now += 1_000;
    log.write('here\n');
    log.close();
    expect(changes.map((change) => change && 'code' in change && change.code)).toEqual(['ENOENT', null]);
    expect(readFileSync(join(inner, 'queue.log'), 'utf8')).toMatch(/"bytes":44}\nhere\n$/);
  });
});
