import { spawn } from 'node:child_process';
import { openSync, closeSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { main } from '../support/muster.js';

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Splits two players. @param stdout 'gone': the reader closes it before anything is written */
function split(stdout: 'gone' | number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, 'split', '--min', '2'], {
      stdio: ['pipe', stdout === 'gone' ? 'pipe' : stdout, 'pipe'],
    });
    if (stdout === 'gone') child.stdout?.destroy();
    child.stdin?.end('92 Riddick\n93 Luke Skywalker\n');
    let stderr = '';
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    child.once('close', (code) => resolve({ code, stderr }));
  });
}

describe('a command whose output cannot be written', () => {
  it('ends quietly when nobody reads it any more', async () => {
    expect(await split('gone')).toEqual({ code: 0, stderr: '' });
  });

  it.runIf(existsSync('/dev/full'))('says so in a sentence when the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const ended = await split(full);
    closeSync(full);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^muster: the output could not be written: .*ENOSPC.*\n$/);
  });
});
