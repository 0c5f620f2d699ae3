import type { Browser } from 'playwright-core';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Visitor } from '../../browser/visitor.js';
import { percentile } from '../../support/percentile.js';

/** How fast the overview is there, for somebody who is signed in, from when it is asked for. Medians. */
export interface Paint {
  readonly firstPaintMs: number;
  /** Until all that it reads is shown. */
  readonly readyMs: number;
}

const Times = z.object({ paint: z.number(), now: z.number() });
/** Before the next load, so that the one before is over. */
const pauseMs = 500;

/** @param isCold whether the browser keeps no files of a visit before */
export async function paint(
  browser: Browser,
  of: { readonly url: string; readonly key: string },
  { rounds, isCold }: { readonly rounds: number; readonly isCold: boolean },
): Promise<Paint> {
  const visitor = await Visitor.signIn(browser, null, { ...of, role: 'viewer' });
  try {
    const session = await visitor.context.newCDPSession(visitor.page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: isCold });
    const all: z.infer<typeof Times>[] = [];
    for (let round = 0; round < rounds; round++) {
      await visitor.open('/');
      const read: unknown = await visitor.page.evaluate(
        `({ paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime, now: performance.now() })`,
      );
      all.push(Times.parse(read));
      await pause(pauseMs);
    }
    return {
      firstPaintMs: percentile(
        all.map((each) => each.paint),
        50,
      ),
      readyMs: percentile(
        all.map(({ now }) => now),
        50,
      ),
    };
  } finally {
    await visitor.close();
  }
}
