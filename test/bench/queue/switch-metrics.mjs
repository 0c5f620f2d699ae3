// Loaded into each process by `--import`: switches all counting off and on by the clock, every METRICS_SWITCH_MS: on, off, off, on.
// What a process or a machine does slowly otherwise, such as growing, hits both alike.
import { createRequire, register, syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const switchMs = Number(process.env.METRICS_SWITCH_MS);
const perf = createRequire(import.meta.url)('node:perf_hooks');
/** What the process watches of itself: the delay of its event loop, its garbage collector. */
const watchers = [];

const isOff = () => [1, 2].includes(Math.floor(Date.now() / switchMs) % 4);

function follow() {
  const off = isOff();
  if (globalThis.uncounted !== off) {
    globalThis.uncounted = off;
    for (const { stop, start } of watchers) (off ? stop : start)();
  }
  setTimeout(follow, switchMs - (Date.now() % switchMs) + 1).unref();
}

/** A loop that counts or looks does nothing while counting is off. */
globalThis.whileCounted = (decorate) => (target, key, descriptor) => {
  const { value } = descriptor;
  descriptor.value = function step(...given) {
    return globalThis.uncounted ? Promise.resolve() : value.apply(this, given);
  };
  return decorate(target, key, descriptor) ?? descriptor;
};

function watchWatchers() {
  const { monitorEventLoopDelay, PerformanceObserver } = perf;
  perf.monitorEventLoopDelay = (options) => {
    const histogram = monitorEventLoopDelay(options);
    watchers.push({ stop: () => histogram.disable(), start: () => histogram.enable() });
    return histogram;
  };
  perf.PerformanceObserver = class extends PerformanceObserver {
    observe(options) {
      watchers.push({ stop: () => this.disconnect(), start: () => super.observe(options) });
      super.observe(options);
    }
  };
  syncBuiltinESMExports();
}

if (switchMs > 0) {
  watchWatchers();
  follow();
  // Worker threads have the hooks of their process.
  if (isMainThread) register('./switched-bundles.mjs', import.meta.url);
}
