import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the story in the README ends with a message when its ticket does not come to a state', () => {
  const [definition] = /^until_ticket\(\) \{[^]*?^\}$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const answers = `get() { echo '{"state":"waiting"}'; }; sleep() { :; }; ALICE=a; TICKET=t`;
  const script = `${definition}\n${answers}\nuntil_ticket waiting; echo found\nuntil_ticket assigned; echo unreached`;
  const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, 'found\n']);
  expect(stderr).toBe('The ticket is not assigned after 30 s\n');
});
