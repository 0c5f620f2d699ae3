import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stack } from '../../support/stack.js';
import { sharedStack } from '../shared-stack.js';

const run = promisify(execFile);
let folder: string;
let stack: Stack;

beforeAll(async () => {
  stack = await sharedStack();
  folder = await mkdtemp(join(tmpdir(), 'muster-packed-'));
  const { stdout } = await run(process.execPath, ['tools/release/pack.mjs', folder]);
  const args = ['install', '-g', '--prefix', folder, '--offline', '--no-audit', '--no-fund', stdout.trim()];
  await run('npm', args, { cwd: folder });
}, 240_000);
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs the installed command, in a folder that has nothing else. */
async function muster(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${folder}/bin:${process.env['PATH']}`,
    DATABASE_URL: stack.run.databaseUrl,
  };
  return (await run('muster', args, { cwd: folder, env })).stdout;
}

describe('the package of the command line', () => {
  it('installs a command that asks Muster, migrates and makes keys', async () => {
    expect(await muster('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await muster('queues', '--url', stack.url, '--operator-key', stack.run.operatorKey)).toMatch(
      /^5v5 /m,
    );
    expect(await muster('migrate')).toBe('Nothing to migrate.\n');
    expect(await muster('keys', '--data-dir', join(folder, 'data'))).toContain('OPERATOR_KEY=@');
    expect(await muster('split', '--help')).toContain('Usage: muster split');
  });

  it('completes words in bash', async () => {
    const script = `
      source <(muster completion bash)
      COMP_WORDS=(muster tickets list --state wai); COMP_CWORD=4; _muster; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(muster tick); COMP_CWORD=1; _muster; echo "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH']}` };
    const { stdout } = await run('bash', ['-eu', '-c', script], { env });
    expect(stdout).toBe('waiting\ntickets\n');
  });

  it.each(['zsh', 'fish'])('is accepted by %s, where it is installed', async (shell) => {
    const script = await muster('completion', shell);
    expect(script).toContain('muster complete --');
    const isThere = await run(shell, ['--version']).then(
      () => true,
      () => false,
    );
    if (isThere) await run(shell, ['-n', '-c', script]);
  });
});
