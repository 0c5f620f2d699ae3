import type { OpenSpan, SpanAttributes, SpanFacts, Traces } from '@muster/contracts';
import { MusterError } from '@muster/domain';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { within } from '../core/within.js';
import { activeSpan, runWithin } from '../core/active-span.js';
import { sampledShare, type TraceSettings } from '../core/trace-settings.js';
import { contextOf, originOf, textOf } from './trace-context.js';

/** Spans that wait for export; more are dropped, so that a receiver that is away costs neither memory nor time. */
const mostWaiting = 4_096;
/** The time between two exports: what a killed process loses. In milliseconds. */
const exportMs = 1_000;
/** The time limit of an export with its repeats, in milliseconds. */
const exportLimitMs = 10_000;
/** The time limit of the last export when the process ends, in milliseconds. */
const lastExportMs = 1_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** Traces that are sent to a receiver by OTLP. Loaded only where the settings name one. */
export class RecordedTraces implements Traces {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly trusts: boolean;

  /** @param processor takes spans that have ended; by default they are exported to `url` */
  constructor(
    service: string,
    url: string,
    settings: Omit<TraceSettings, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
    processor: SpanProcessor = exporting(url),
  ) {
    this.trusts = settings.TRACES_TRUST_CALLERS;
    this.provider = new TracerProvider({
      resource: resourceOf(service, settings.OTEL_SERVICE_NAME),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare(settings)) }),
      spanLimits: { attributeValueLengthLimit: 1_024, linkCountLimit: 128 },
      spanProcessors: [processor],
    });
    this.tracer = this.provider.getTracer('muster');
  }

  get active(): OpenSpan | undefined {
    return activeSpan();
  }

  begin(name: string, facts: SpanFacts = {}): OpenSpan {
    const { kind, since = Date.now(), attributes = {}, links = [] } = facts;
    const { parent = activeSpan()?.context ?? null } = facts;
    const continued = parent === null ? undefined : contextOf(parent);
    const span = this.tracer.startSpan(
      name,
      {
        kind: kind ? kinds[kind] : SpanKind.INTERNAL,
        startTime: since,
        attributes,
        links: links.flatMap((text) => contextOf(text) ?? []).map((context) => ({ context })),
      },
      continued ? trace.setSpanContext(ROOT_CONTEXT, continued) : ROOT_CONTEXT,
    );
    return new RecordedSpan(span, since);
  }

  within<T>(span: OpenSpan, work: () => T): T {
    return runWithin(span, work);
  }

  originOf(headers: Readonly<Record<string, unknown>>): Pick<SpanFacts, 'parent' | 'links'> {
    return originOf(headers, this.trusts);
  }

  /** Exports what is left, within a time limit. */
  async close(): Promise<void> {
    await within(lastExportMs, this.provider.shutdown()).catch((error: unknown) =>
      diag.warn(`the last spans were not exported: ${String(error)}`),
    );
  }
}

class RecordedSpan implements OpenSpan {
  readonly traceId: string;
  readonly context: string;

  constructor(
    private readonly span: Span,
    readonly since: number,
  ) {
    const context = span.spanContext();
    this.traceId = context.traceId;
    this.context = textOf(context);
  }

  get isRecorded(): boolean {
    return this.span.isRecording();
  }

  note(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  link(text: string): void {
    const context = contextOf(text);
    if (context) this.span.addLink({ context });
  }

  fail(error: unknown): void {
    // Not its message, which may name players.
    this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.setAttribute('error.type', typeOf(error));
  }

  end(at?: number): void {
    this.span.end(at);
  }
}

/** What OTEL_RESOURCE_ATTRIBUTES says counts more than what is known here. */
function resourceOf(service: string, name: string | undefined): Resource {
  const known = { 'service.name': service, 'service.namespace': 'muster', 'process.pid': process.pid };
  return resourceFromAttributes(known)
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(name === undefined ? {} : { 'service.name': name }));
}

function typeOf(error: unknown): string {
  if (error instanceof MusterError) return error.code;
  return error instanceof Error ? error.name : 'error';
}

function exporting(url: string): SpanProcessor {
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url, timeoutMillis: exportLimitMs }),
    maxQueueSize: mostWaiting,
    scheduledDelayMillis: exportMs,
    exportTimeoutMillis: exportLimitMs,
  });
}

/** Passes what OpenTelemetry has to complain about, such as failed exports, to a log. */
export function reportTo(report: (error: Error) => void): void {
  const tell = (message: string): void => report(new Error(message));
  const silent = (): void => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
