import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { Visitor } from '../../browser/visitor.js';
import { categories, smoothnessOf, type Smoothness } from './trace.js';

const scrollMs = 5_000;
const stepMs = 16;
const stepPx = 120;

/**
 * Scrolls through a long table of a page, and the page itself where it has none.
 *
 * @throws Error unless it has so many rows
 */
export async function scrolled(
  browser: Browser,
  visitor: Visitor,
  { path, rows }: { readonly path: string; readonly rows: number },
): Promise<Smoothness> {
  await visitor.open(path);
  const { page, main } = visitor;
  const table = main.locator(`table[aria-rowcount="${rows + 1}"]`).first();
  await table.waitFor();
  await table.scrollIntoViewIfNeeded();
  await table.hover();
  await browser.startTracing(page, { categories });
  const until = performance.now() + scrollMs;
  for (let step = 0; performance.now() < until; step++) {
    await page.mouse.wheel(0, stepPx);
    await pause(stepMs);
  }
  return smoothnessOf(JSON.parse((await browser.stopTracing()).toString('utf8')));
}
