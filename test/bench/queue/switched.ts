import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scrape, seriesIn, type Cost, type Round } from './beside.js';
import { cpuBetween, cpuSecondsOf } from './cpu.js';
import type { Load } from './load.js';
import { runMuster, type MusterOptions } from './muster.js';
import { rowOf } from './report.js';

/** Not a divisor of a minute, so that what happens once a minute hits both alike. */
const switchMs = 7_000;
/** On, off, off, on: what grows evenly cancels out. */
const stretches = 4;
const preload = join(process.cwd(), 'test/bench/queue/switch-metrics.mjs');

interface Reading {
  readonly epochMs: number;
  readonly cpu: Readonly<Record<string, number>>;
}

/**
 * What metrics cost, in one run: they are switched off and on by the clock in all processes and scripts. Between runs a machine
 * differs by more than what they cost.
 *
 * @returns a round for each on, off, off, on, in place of `rounds` of the load's seconds
 */
export async function switchMetrics(load: Load, options: MusterOptions): Promise<Round[]> {
  const readings: Reading[] = [];
  let [series, originMs] = [0, 0];
  const taken = await runMuster(load, {
    ...options,
    env: { METRICS_SWITCH_MS: String(switchMs), NODE_OPTIONS: `--import ${preload}` },
    meanwhile: async (stack, _over, { epochMs }) => {
      originMs = epochMs;
      const period = stretches * switchMs;
      const begin = Math.ceil((epochMs + load.warmUpSeconds * 1_000) / period) * period;
      const end = epochMs + (load.warmUpSeconds + load.seconds) * 1_000;
      for (let at = begin; at <= end; at += switchMs) {
        await pause(Math.max(0, at - Date.now()));
        const cpu = cpuSecondsOf(stack.run.pids);
        if (!cpu) throw new Error('This machine does not tell the processor time of processes.');
        readings.push({ epochMs: Date.now(), cpu });
        // As Prometheus asks every fifteen seconds.
        if (isOn(at)) await scrape(stack);
      }
      const texts = await scrape(stack);
      requireHalf(texts, load.moments.length);
      series = seriesIn(texts);
    },
  });
  const { lost, refused } = rowOf(taken);
  if (lost > 0 || refused > 0) throw new Error(`${lost} tickets were lost and ${refused} refused.`);
  const costs = readings
    .slice(1)
    .map((after, i) =>
      costBetween(readings[i] ?? after, after, load, originMs, taken.idleCores ?? {}, series),
    );
  return Array.from({ length: Math.floor(costs.length / stretches) }, (_, i) =>
    roundOf(costs.slice(i * stretches)),
  );
}

/** Of tickets, counted by a process and by a script. */
const counted = [
  /^muster_http_requests_total\{.*endpoint="createTicket".*\} (\d+)$/gm,
  /^muster_tickets_accepted_total\{.*\} (\d+)$/gm,
];

/** @throws Error if what switches the counting has another text in mind than the bundles have */
function requireHalf(texts: readonly string[], tickets: number): void {
  for (const pattern of counted) {
    const sum = [...texts.join('\n').matchAll(pattern)].reduce((all, [, n]) => all + Number(n), 0);
    const share = sum / tickets;
    if (share < 0.3 || share > 0.7)
      throw new Error(
        `Muster counted ${sum} of ${tickets} tickets, not about half: switched-bundles.mjs is out of date.`,
      );
  }
}

const isOn = (epochMs: number): boolean => [0, 3].includes(Math.floor(epochMs / switchMs) % stretches);

function costBetween(
  before: Reading,
  after: Reading,
  { moments }: Load,
  originMs: number,
  idleCores: Readonly<Record<string, number>>,
  series: number,
): Cost {
  const seconds = (after.epochMs - before.epochMs) / 1_000;
  const came = moments.filter(
    (at) => originMs + at >= before.epochMs && originMs + at < after.epochMs,
  ).length;
  const used = Object.entries(cpuBetween(before.cpu, after.cpu) ?? {});
  const perTicket = (idle: number): (readonly [string, number])[] =>
    used.map(([name, cpu]) => [name, (1_000 * (cpu - idle * seconds * (idleCores[name] ?? 0))) / came]);
  const sum = (all: ReturnType<typeof perTicket>): number => all.reduce((total, [, ms]) => total + ms, 0);
  const by = perTicket(1);
  return {
    all: sum(by),
    withIdle: sum(perTicket(0)),
    by: Object.fromEntries(by),
    tickets: moments.length,
    series,
  };
}

/** @param costs on, off, off, on */
function roundOf([on, off, offToo, onToo]: readonly Cost[]): Round {
  if (!on || !off || !offToo || !onToo) throw new Error('A round has four stretches.');
  return [mean(on, onToo), mean(off, offToo)];
}

function mean(a: Cost, b: Cost): Cost {
  const by = Object.fromEntries(
    Object.keys(a.by).map((name) => [name, ((a.by[name] ?? 0) + (b.by[name] ?? 0)) / 2]),
  );
  return { ...a, all: (a.all + b.all) / 2, withIdle: (a.withIdle + b.withIdle) / 2, by };
}
