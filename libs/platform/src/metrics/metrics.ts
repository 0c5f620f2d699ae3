import {
  figures,
  type CounterName,
  type Figure,
  type FigureName,
  type HistogramName,
  type LabelsOf,
  type Meter,
  type StatedBy,
} from '@muster/contracts';
import type { ElapsedTime } from '@muster/domain';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../core/within.js';
import type { FigureSource, Samples } from './figures.js';
import { KeptFigure } from './kept-figure.js';

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
 * How often the delay of the event loop is looked at, in milliseconds. Every ten, as prom-client does by itself, cost each process a
 * third of a percent of a core.
 */
const loopLooksMs = 50;

/**
 * The figures of a process in the text format of Prometheus: those that sources read at a scrape, and those that are
 * counted as things happen. A source that fails or is silent costs a scrape at most two seconds: its figures are missing,
 * and the others are there.
 */
export class Metrics implements Meter {
  private readonly registry = new Registry();
  /** What sources answered. */
  private readonly read = new Map<FigureName, Gauge | Counter>();
  /** What this process counts. */
  private readonly kept = new Map<FigureName, KeptFigure>();
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
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: loopLooksMs });
    for (const name of misnamed) this.registry.removeSingleMetric(name);
  }

  count<N extends CounterName>(figure: N, labels: LabelsOf<N>, by = 1): void {
    this.keptOf(figure).add(labels, by);
  }

  observe<N extends HistogramName>(figure: N, labels: LabelsOf<N>, value: number): void {
    this.keptOf(figure).add(labels, value);
  }

  timed<N extends HistogramName, T>(figure: N, labels: LabelsOf<N>, compute: () => T): T {
    const since = performance.now();
    try {
      return compute();
    } finally {
      this.observe(figure, labels, (performance.now() - since) / 1_000);
    }
  }

  /** Has the counters of a service begin at 0, as far as their labels are known. */
  begin(service: StatedBy): void {
    for (const [name, { from, begins = [] }] of Object.entries<Figure>(figures))
      if (from === service) for (const labels of begins) this.keptOf(name as FigureName).add(labels, 0);
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
    const read = await Promise.all(sources.map((source) => this.answerOf(source)));
    for (const figure of this.read.values()) figure.reset();
    sources.forEach((source, i) => {
      const samples = read[i] ?? null;
      if (source.asksStore)
        this.show({ sourceUp: [{ labels: { source: source.name }, value: samples === null ? 0 : 1 }] });
      if (samples !== null) this.show(samples);
    });
    return this.registry.metrics();
  }

  private show(samples: Samples): void {
    for (const [name, values] of Object.entries(samples)) {
      const figure = this.shown(name as FigureName);
      // Just reset: the whole value of a counter.
      for (const { labels, value } of values ?? []) figure.inc({ ...labels }, value);
    }
  }

  /** A figure of sources. */
  private shown(name: FigureName): Gauge | Counter {
    let figure = this.read.get(name);
    if (!figure) {
      const config = this.configOf(figures[name]);
      figure = figures[name].kind === 'counter' ? new Counter(config) : new Gauge(config);
      this.read.set(name, figure);
    }
    return figure;
  }

  /** A figure that this process counts. It is registered with its first event, so that a service has no others' figures. */
  private keptOf(name: FigureName): KeptFigure {
    let figure = this.kept.get(name);
    if (!figure) this.kept.set(name, (figure = this.keep(figures[name])));
    return figure;
  }

  private keep(figure: Figure): KeptFigure {
    const { name, kind, buckets = [], most } = figure;
    const merged = (): void => this.count('observationsMerged', { figure: name });
    if (kind === 'histogram') {
      const histogram = new Histogram({ ...this.configOf(figure), buckets: [...buckets] });
      return new KeptFigure((labels, value) => histogram.observe(labels, value), most ?? 40, merged);
    }
    const counter = new Counter(this.configOf(figure));
    return new KeptFigure((labels, by) => counter.inc(labels, by), most ?? 200, merged);
  }

  private configOf({ name, help, labels }: Figure) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
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
  private async answerOf(source: Asked): Promise<Samples | null> {
    try {
      return await within(this.sourceMs, this.reading(source));
    } catch (error) {
      this.onError(source.name, error);
      return null;
    }
  }
}
