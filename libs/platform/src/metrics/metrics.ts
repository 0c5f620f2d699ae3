import type { ElapsedTime } from '@muster/domain';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { within } from '../core/within.js';
import { figures, type FigureName, type FigureSource, type Samples } from './figures.js';

/** The content type of the exposition. */
export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Scrapes within this time share an answer, in milliseconds. */
const sharedMs = 1_000;
/** The time for a source to answer, in milliseconds: less than a scraper waits. */
const defaultSourceMs = 2_000;
/** After this time a read that hangs is given up, and the next scrape reads again, in milliseconds. */
const givenUpMs = 30_000;

/** Gauges that end in `_total`, which is reserved for counters. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** A source, and its read in progress. */
interface Asked extends FigureSource {
  reading: Promise<Samples> | null;
  /** When it began. */
  since: number;
}

/**
 * The figures of a process in the text format of Prometheus. A source that fails or is silent costs a scrape at most two
 * seconds: its figures are missing, and the others are there.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly gauges = new Map<FigureName, Gauge>();
  private readonly sources = new Map<string, Asked>();
  private shared: { readonly until: number; readonly text: Promise<string> } | null = null;

  /**
   * @param time limits how often sources are read
   * @param onError called for each source that did not answer a scrape
   * @param sourceMs the time for a source to answer, in milliseconds
   */
  constructor(
    private readonly time: Pick<ElapsedTime, 'now'>,
    private readonly onError: (source: string, error: unknown) => void,
    private readonly sourceMs = defaultSourceMs,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const name of misnamed) this.registry.removeSingleMetric(name);
    for (const [key, { name, help, labels }] of Object.entries(figures))
      this.gauges.set(
        key as FigureName,
        new Gauge({ name, help, labelNames: [...labels], registers: [this.registry] }),
      );
  }

  /** Adds a source. Services that share a process may bring the same one: the first is read. */
  add(source: FigureSource): void {
    if (!this.sources.has(source.name))
      this.sources.set(source.name, { ...source, read: () => source.read(), reading: null, since: 0 });
  }

  /** The exposition. Calls within a second share it, so the rate of scrapes is no load on the stores. */
  text(): Promise<string> {
    const now = this.time.now();
    if (!this.shared || now >= this.shared.until)
      this.shared = { until: now + sharedMs, text: this.scrape() };
    return this.shared.text;
  }

  private async scrape(): Promise<string> {
    const sources = [...this.sources.values()];
    const read = await Promise.all(sources.map((source) => this.read(source)));
    for (const gauge of this.gauges.values()) gauge.reset();
    sources.forEach((source, i) => {
      const samples = read[i] ?? null;
      if (source.asksStore)
        this.gauges.get('sourceUp')?.set({ source: source.name }, samples === null ? 0 : 1);
      if (samples !== null) this.show(samples);
    });
    return this.registry.metrics();
  }

  private show(samples: Samples): void {
    for (const [figure, values] of Object.entries(samples))
      for (const { labels, value } of values ?? [])
        this.gauges.get(figure as FigureName)?.set({ ...labels }, value);
  }

  /** The read in progress, or a new one: a read that hangs is not joined by a second one until it is given up. */
  private reading(source: Asked): Promise<Samples> {
    const now = this.time.now();
    if (source.reading && now - source.since < givenUpMs) return source.reading;
    const reading = Promise.resolve()
      .then(() => source.read())
      .finally(() => {
        if (source.reading === reading) source.reading = null;
      });
    [source.reading, source.since] = [reading, now];
    return reading;
  }

  /** Null if the source fails or is silent. */
  private async read(source: Asked): Promise<Samples | null> {
    try {
      return await within(this.sourceMs, this.reading(source));
    } catch (error) {
      this.onError(source.name, error);
      return null;
    }
  }
}
