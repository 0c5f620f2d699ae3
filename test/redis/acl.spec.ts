import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { aclRules } from './acl.js';

it('the rules of the user under test are those of the documentation', async () => {
  const page = await readFile(new URL('../../docs/redis.md', import.meta.url), 'utf8');
  expect(page).toContain(`user muster on >password ${aclRules('default')}\n`);
});
