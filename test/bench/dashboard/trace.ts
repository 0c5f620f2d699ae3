import { z } from 'zod';
import { percentile } from '../../support/percentile.js';

/** How a page kept up while something was done on it, by the browser's own trace. */
export interface Smoothness {
  /** Tasks of the page's main thread over 50 ms, during which it does not answer. */
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly framesPerSecond: number;
  /** Between two frames. */
  readonly frameMsP95: number;
}

/** What a trace needs to have of each kind. */
export const categories = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'devtools.timeline.frame',
];

const longMs = 50;
const usPerMs = 1_000;

const Trace = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      ts: z.number(),
      dur: z.number().optional(),
      args: z.looseObject({ name: z.string().optional() }).optional(),
    }),
  ),
});
type Event = z.infer<typeof Trace>['traceEvents'][number];

/** @param trace as Chromium writes it */
export function smoothnessOf(trace: unknown): Smoothness {
  const { traceEvents: events } = Trace.parse(trace);
  const threadOf = ({ pid, tid }: Event): string => `${pid} ${tid}`;
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map((each) => threadOf(each)),
  );
  const tasks = events
    .filter((each) => each.name === 'RunTask' && mains.has(threadOf(each)))
    .map(({ dur = 0 }) => dur / usPerMs);
  const frames = events
    .filter(({ name }) => name === 'DrawFrame')
    .map(({ ts }) => ts / usPerMs)
    .toSorted((a, b) => a - b);
  const between = frames.slice(1).map((at, i) => at - (frames[i] ?? at));
  const [first = 0, last = 0] = [frames[0], frames.at(-1)];
  return {
    longTasks: tasks.filter((ms) => ms > longMs).length,
    longestTaskMs: Math.max(0, ...tasks),
    framesPerSecond: last > first ? (1_000 * (frames.length - 1)) / (last - first) : 0,
    frameMsP95: between.length > 0 ? percentile(between, 95) : 0,
  };
}
