import { z } from 'zod';
import type { Browser } from 'playwright-core';
import { ask, jsonOf } from '../support/http.js';
import type { Stage } from './stage.js';
import { Visitor } from './visitor.js';
import type { Watch } from './watch.js';

/** Keys that are none of an operator: the page says so, and lets nobody in. */
export async function refusesOthers(browser: Browser, watch: Watch, { stack }: Stage): Promise<void> {
  const visitor = await Visitor.arrive(browser, watch, { url: stack.url, role: 'viewer', path: '/' });
  for (const key of [stack.run.serverKey, await stack.token('somebody'), 'no-key-at-all']) {
    watch.hides(key);
    await visitor.page.getByLabel('Key or token').first().fill(key);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('alert').waitFor();
  }
  await visitor.close();
}

/** A person signs in by a key, loads the page again, opens another tab, and signs out. */
export async function keepsSession(browser: Browser, watch: Watch, { stack, keys }: Stage): Promise<void> {
  const visitor = await Visitor.signIn(browser, watch, { url: stack.url, role: 'viewer', key: keys.viewer });
  await visitor.open('/queues');
  const kept = await visitor.page.evaluate('[document.cookie, JSON.stringify(localStorage)].join()');
  if (String(kept).includes(keys.viewer)) throw new Error('the key is kept beyond the tab');
  const tab = await visitor.context.newPage();
  await tab.goto(`${stack.url}/dashboard/matches`);
  await tab.locator('main').getByRole('heading', { level: 1, name: 'Matches' }).waitFor();
  await tab.close();
  await visitor.page.getByRole('button', { name: 'viewer-person' }).click();
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await visitor.page.getByLabel('Key or token').first().waitFor();
  await visitor.page.reload();
  await visitor.page.getByLabel('Key or token').first().waitFor();
  await visitor.close();
}

/** A code in a link signs in once, and is gone from the address. */
export async function takesCode(browser: Browser, watch: Watch, { stack, keys }: Stage): Promise<void> {
  const { code } = z
    .object({ code: z.string() })
    .parse(jsonOf(await ask(stack.url, '/v1/sign-in-codes', { method: 'POST', token: keys.support }), 201));
  const path = `/queues#code=${code}`;
  const visitor = await Visitor.arrive(browser, watch, { url: stack.url, role: 'support', path });
  await visitor.ready();
  if (visitor.page.url().includes(code)) throw new Error('the code stays in the address');
  const { role } = z.object({ role: z.string() }).parse(
    jsonOf(
      await ask(stack.url, '/v1/me/operator', {
        token: String(await visitor.page.evaluate(`sessionStorage.getItem('muster.key')`)),
      }),
    ),
  );
  if (role !== 'support') throw new Error(`the code of support signs in as ${role}`);
  await visitor.close();
  const again = await Visitor.arrive(browser, watch, { url: stack.url, role: 'support', path });
  await again.page.getByRole('alert').waitFor();
  await again.close();
}

/** The policy of the page: its own files alone. */
export async function hasPolicy({ stack }: Stage): Promise<void> {
  const { status, headers } = await ask(stack.url, '/dashboard/');
  const policy = String(headers['content-security-policy'] ?? '');
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
  if (status !== 200) throw new Error(`/dashboard/ answers ${status}`);
  if (!policy.includes("default-src 'none'") && !policy.includes("default-src 'self'"))
    throw new Error(`the policy allows other origins: ${policy}`);
  if (scripts === '' || /unsafe|\*|https?:/.test(scripts))
    throw new Error(`the policy allows other scripts than those of the page: ${policy}`);
}
