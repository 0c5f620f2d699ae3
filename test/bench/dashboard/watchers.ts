import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { Visitor } from '../../browser/visitor.js';
import type { Stack } from '../../support/stack.js';
import { cpuSecondsOf } from '../queue/cpu.js';

/** What dashboards that are left open cost the system. */
export interface Watchers {
  /** Percent of one core that all processes of the system take, of each round. */
  readonly without: readonly number[];
  readonly withThem: readonly number[];
  /** Mean of the differences of neighbours, and its standard error. */
  readonly extra: number;
  readonly extraError: number;
}

/** The demo does more at first: its players are not calibrated yet, and V8 compiles. */
const warmUpMs = 90_000;
/** What a page does as it is opened is over after this. */
const settleMs = 4_000;

/** Measures for a time without and for a time with open overviews, in turns. */
export async function watchers(
  browser: Browser,
  stack: Stack,
  { dashboards, rounds, seconds }: { dashboards: number; rounds: number; seconds: number },
  say: (text: string) => void,
): Promise<Watchers> {
  const without: number[] = [];
  const withThem: number[] = [];
  await pause(warmUpMs);
  for (let round = 0; round < rounds; round++) {
    say(`  round ${round + 1} of ${rounds}`);
    // Who is first changes, so that neither has the system younger always.
    for (const isOpen of round % 2 === 0 ? [false, true] : [true, false]) {
      const visitors = isOpen ? await openAll(browser, stack, dashboards) : [];
      await pause(settleMs);
      (isOpen ? withThem : without).push(await percentOfCore(stack, seconds));
      for (const visitor of visitors) await visitor.close();
    }
  }
  const differences = withThem.map((each, round) => each - (without[round] ?? NaN));
  const extra = meanOf(differences);
  const variance = meanOf(differences.map((each) => (each - extra) ** 2));
  return { without, withThem, extra, extraError: Math.sqrt(variance / Math.max(1, rounds - 1)) };
}

const meanOf = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / all.length;

async function openAll(browser: Browser, stack: Stack, dashboards: number): Promise<Visitor[]> {
  const visitors: Visitor[] = [];
  for (let n = 0; n < dashboards; n++)
    visitors.push(
      await Visitor.signIn(browser, null, { url: stack.url, role: 'admin', key: stack.run.operatorKey }),
    );
  const hidden = await Promise.all(visitors.map(({ page }) => page.evaluate('document.hidden')));
  if (hidden.includes(true)) throw new Error('the browser takes a page for hidden, so it does not ask');
  return visitors;
}

/** Of all processes: services, edge and stores, and the demo, which plays the same in both. */
async function percentOfCore(stack: Stack, seconds: number): Promise<number> {
  const pids = await stack.pids();
  const spent = (): number => {
    const all = cpuSecondsOf(pids);
    if (!all) throw new Error('this needs /proc');
    return Object.values(all).reduce((sum, each) => sum + each, 0);
  };
  const before = spent();
  const began = performance.now();
  await pause(1_000 * seconds);
  return (100 * (spent() - before)) / ((performance.now() - began) / 1_000);
}
