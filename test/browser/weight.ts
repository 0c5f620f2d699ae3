import type { Browser, Response } from 'playwright-core';
import { Visitor } from './visitor.js';
import type { Watch } from './watch.js';

/** Of the scripts that the overview needs, as they are transferred. */
export const mostScriptBytes = 300_000;

/** Bytes of scripts that a browser transfers until somebody new has signed in and sees the overview. */
export async function scriptBytes(
  browser: Browser,
  watch: Watch,
  { url, key }: { readonly url: string; readonly key: string },
): Promise<number> {
  const visitor = await Visitor.arrive(browser, watch, { url, role: 'viewer', path: '/' });
  try {
    const scripts: Response[] = [];
    visitor.page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response);
    });
    // The first load was over before this listens.
    await visitor.page.evaluate(`sessionStorage.setItem('muster.key', ${JSON.stringify(key)})`);
    const session = await visitor.context.newCDPSession(visitor.page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await visitor.open('/');
    const sizes = await Promise.all(
      scripts.map(async (response) => Number((await response.allHeaders())['content-length'])),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } finally {
    await visitor.close();
  }
}
