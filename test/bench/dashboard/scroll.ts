import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Locator } from 'playwright-core';
import type { Visitor } from '../../browser/visitor.js';
import { categories, smoothnessOf, type Smoothness } from './trace.js';

const scrollMs = 5_000;
const stepMs = 16;
const stepPx = 120;
/** For a list of ten thousand, which comes page by page. */
const readMs = 60_000;

/** A long list of a page. */
export interface LongList {
  readonly path: string;
  /** What is under the pointer while it is scrolled, once all of the list is there. */
  of(visitor: Visitor): Promise<Locator>;
}

/** The table of the page that comes to have so many rows. */
export const tableOf =
  (rows: number): LongList['of'] =>
  async ({ main }) => {
    const table = main.locator(`table[aria-rowcount="${rows + 1}"]`).first();
    await table.waitFor({ timeout: readMs });
    return table;
  };

/** The chart of all ratings of a player. */
export const wholeHistory: LongList['of'] = async ({ main }) => {
  const course = main.getByText(/ ratings since /);
  await course.waitFor();
  // A short history is whole at once.
  const all = main.getByRole('button', { name: 'Load all' });
  if (await all.isVisible()) await all.click();
  await all.waitFor({ state: 'detached', timeout: readMs });
  return course;
};

/** Opens a page and scrolls through a long list of it. @throws Error unless the list comes to be whole */
export async function scrolled(browser: Browser, visitor: Visitor, list: LongList): Promise<Smoothness> {
  await visitor.open(list.path);
  const { page } = visitor;
  const shown = await list.of(visitor);
  await shown.scrollIntoViewIfNeeded();
  await shown.hover();
  await browser.startTracing(page, { categories });
  const until = performance.now() + scrollMs;
  for (let step = 0; performance.now() < until; step++) {
    // Down, and up again: a page may be shorter than its list is long.
    await page.mouse.wheel(0, Math.floor(step / 30) % 2 === 0 ? stepPx : -stepPx);
    await pause(stepMs);
  }
  return smoothnessOf(JSON.parse((await browser.stopTracing()).toString('utf8')));
}
