import { createServer } from 'node:http';
import type { Stack } from '../../support/stack.js';
import { grid, type Paint } from '../table.js';
import type { Load } from './load.js';
import { runMuster, type MusterOptions } from './muster.js';
import { switchMetrics } from './switched.js';
import { rowOf } from './report.js';

/** A way to run Muster. */
export interface Variant {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs beside the load until it is over. Returns the series of the service that has most. */
  readonly meanwhile: (stack: Stack, over: AbortSignal) => Promise<number>;
}

/** What one costs more than the other, and the most that it may. */
export interface Comparison {
  readonly variants: readonly [more: Pick<Variant, 'name'>, less: Pick<Variant, 'name'>];
  readonly mostPercent: number;
  /** @returns a round for each time that both were measured */
  readonly measure: (load: Load, options: MusterOptions, rounds: number) => Promise<Round[]>;
}

/** How often Prometheus asks, as docs/metrics.md recommends. */
const scrapeMs = 15_000;

export const scrape = ({ run }: Stack): Promise<string[]> =>
  Promise.all(
    run.replicas.map(async ({ httpPort }) => (await fetch(`http://127.0.0.1:${httpPort}/metrics`)).text()),
  );

const scraped = async (stack: Stack, over: AbortSignal): Promise<number> => {
  while (!over.aborted) {
    await scrape(stack);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, scrapeMs);
      over.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
  }
  return seriesIn(await scrape(stack));
};

/** Where a receiver of traces listens meanwhile. */
const tracesPort = 43_180;
const tracing = (share: string): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${tracesPort}`,
  OTEL_TRACES_SAMPLER_ARG: share,
});

/** Takes what is exported, and looks at none of it. */
const exported = async (stack: Stack, over: AbortSignal): Promise<number> => {
  let exports = 0;
  const receiver = createServer((request, response) => {
    exports++;
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => receiver.listen(tracesPort, '127.0.0.1', resolve));
  const series = await scraped(stack, over);
  receiver.closeAllConnections();
  receiver.close();
  if (exports === 0) throw new Error('Muster exports no traces here.');
  return series;
};

const inTurn = (mostPercent: number, more: Variant, less: Variant): Comparison => ({
  mostPercent,
  variants: [more, less],
  measure: (load, options, rounds) => compare(load, options, [more, less], rounds),
});

export const comparisons: Readonly<Record<string, Comparison>> = {
  metrics: {
    mostPercent: 3,
    variants: [{ name: 'with metrics' }, { name: 'without' }],
    measure: switchMetrics,
  },
  traces: inTurn(
    50,
    { name: 'every ticket traced', env: tracing('1'), meanwhile: exported },
    { name: 'none', env: {}, meanwhile: scraped },
  ),
  'few-traces': inTurn(
    3,
    { name: 'one ticket in a hundred traced', env: tracing('0.01'), meanwhile: exported },
    { name: 'none', env: {}, meanwhile: scraped },
  ),
};

/** The most series of a service, by what they exposed. */
export const seriesIn = (texts: readonly string[]): number =>
  Math.max(...texts.map((text) => text.match(/^[a-z]/gm)?.length ?? 0));

/** Processor milliseconds of a ticket, without what the system takes while idle. */
export interface Cost {
  readonly all: number;
  /** The same with it. */
  readonly withIdle: number;
  /** By process. */
  readonly by: Readonly<Record<string, number>>;
  /** Tickets of the run, each of another player, and the series of the service that has most after it. */
  readonly tickets: number;
  readonly series: number;
}

/** One round: what each variant cost. */
export type Round = readonly [more: Cost, less: Cost];

/** Runs both variants in turn, the one that begins second in every other round. */
async function compare(
  load: Load,
  options: MusterOptions,
  [more, less]: readonly [Variant, Variant],
  rounds: number,
): Promise<Round[]> {
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    const costs = new Map<Variant, Cost>();
    for (const variant of round % 2 === 1 ? [more, less] : [less, more]) {
      options.say(`  round ${round} of ${rounds}: ${variant.name}`);
      costs.set(variant, await costOf(load, options, variant));
    }
    const [a, b] = [costs.get(more), costs.get(less)];
    if (a && b) done.push([a, b]);
  }
  return done;
}

async function costOf(load: Load, options: MusterOptions, { env, meanwhile }: Variant): Promise<Cost> {
  let series = 0;
  const taken = await runMuster(load, {
    ...options,
    env,
    meanwhile: async (stack, over) => void (series = await meanwhile(stack, over)),
  });
  const { held, lost, refused } = rowOf(taken);
  if (!taken.cpuSeconds) throw new Error('This machine does not tell the processor time of processes.');
  if (lost > 0 || refused > 0) throw new Error(`${lost} tickets were lost and ${refused} refused.`);
  const { cpuSeconds, idleCores } = taken;
  const perTicket = (idleShare: number): (readonly [string, number])[] =>
    Object.entries(cpuSeconds).map(([name, seconds]) => {
      const idle = idleShare * (idleCores?.[name] ?? 0) * load.seconds;
      return [name, (1_000 * (seconds - idle)) / (held * load.seconds)];
    });
  const sum = (costs: ReturnType<typeof perTicket>): number => costs.reduce((all, [, ms]) => all + ms, 0);
  const by = perTicket(1);
  const [all, withIdle] = [sum(by), sum(perTicket(0))];
  return { all, withIdle, by: Object.fromEntries(by), tickets: load.moments.length, series };
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

/** By how many percent the first costs more than the second: the mean of the rounds, and its standard error. */
export function moreThan(
  rounds: readonly Round[],
  of: (cost: Cost) => number = ({ all }) => all,
): { readonly percent: number; readonly error: number } {
  const each = rounds.map(([more, less]) => 100 * (of(more) / of(less) - 1));
  const percent = meanOf(each);
  const squares = each.reduce((sum, one) => sum + (one - percent) ** 2, 0);
  return { percent, error: Math.sqrt(squares / Math.max(1, each.length - 1) / each.length) };
}

/** A table of the rounds and of the processes, a verdict, and the line of JSON. */
export function besideText(
  name: string,
  { variants: [more, less], mostPercent }: Comparison,
  rounds: readonly Round[],
  paint: Paint,
): string {
  const { percent, error } = moreThan(rounds);
  const isMet = percent < mostPercent;
  const names = Object.keys(rounds[0]?.[0].by ?? {});
  const costs = (of: (cost: Cost) => number): string[] => {
    const [a, b] = [0, 1].map((side) => meanOf(rounds.map((round) => of(side === 0 ? round[0] : round[1]))));
    return [a ?? NaN, b ?? NaN, (a ?? NaN) - (b ?? NaN)].map((ms) => ms.toFixed(3));
  };
  const head = [`${more.name}, ms a ticket`, less.name, 'difference'];
  return [
    grid(
      ['round', ...head.slice(0, 2), 'difference %'],
      rounds.map(([a, b], i) => [
        String(i + 1),
        a.all.toFixed(3),
        b.all.toFixed(3),
        (100 * (a.all / b.all - 1)).toFixed(2),
      ]),
    ),
    grid(
      ['process', ...head],
      [
        ['all', ...costs(({ all }) => all)],
        ['with the idle share', ...costs(({ withIdle }) => withIdle)],
        ...names.map((each) => [each, ...costs(({ by }) => by[each] ?? 0)]),
      ],
    ),
    `${more.name}: ${percent.toFixed(2)} % ± ${error.toFixed(2)} more ` +
      `(${moreThan(rounds, ({ withIdle }) => withIdle).percent.toFixed(2)} % with the idle share); ` +
      paint(isMet, `under ${mostPercent} %: ${isMet ? 'met' : 'missed'}`) +
      `. Most series of a service after ${rounds[0]?.[0].tickets ?? 0} tickets: ${Math.max(...rounds.map(([{ series }]) => series))}.`,
    JSON.stringify({ beside: name, percent, error, mostPercent, rounds }, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(5)) : value,
    ),
  ].join('\n\n');
}
