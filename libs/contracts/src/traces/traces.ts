/** What is known of a span when it begins. */
export interface SpanFacts {
  /** `server` answers a call, `client` makes one, `consumer` handles a job. */
  readonly kind?: 'server' | 'client' | 'consumer';
  /** The span that it continues, as {@link OpenSpan.context}; by default the active one. Null: it begins a trace. */
  readonly parent?: string | null;
  /** Related spans, mostly of other traces. */
  readonly links?: readonly string[];
  /** When it began, milliseconds since the epoch; now by default. */
  readonly since?: number;
  /** Never ids of players: traces are kept where an erasure does not reach. */
  readonly attributes?: SpanAttributes;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span that has begun. One that is never ended is not exported. */
export interface OpenSpan {
  readonly traceId: string;
  /** Its place in its trace: a W3C `traceparent`, and after a space the `tracestate` if there is one. */
  readonly context: string;
  /** Whether it is exported: it is sampled and has not ended. */
  readonly isRecorded: boolean;
  readonly since: number;
  note(attributes: SpanAttributes): void;
  link(context: string): void;
  fail(error: unknown): void;
  /** @param at milliseconds since the epoch; now by default */
  end(at?: number): void;
}

/**
 * Records what happens as spans of traces. A process without traces has null instead, so that they cost a comparison. No
 * method fails or waits.
 */
export interface Traces {
  /** The span in whose work this call is; undefined when there is none or it is not recorded. */
  readonly active: OpenSpan | undefined;
  begin(name: string, facts?: SpanFacts): OpenSpan;
  /** Runs work with a span as the active one. It does not end the span. */
  within<T>(span: OpenSpan, work: () => T): T;
  /** The origin of a call, as its headers state it. */
  originOf(headers: Readonly<Record<string, unknown>>): Pick<SpanFacts, 'parent' | 'links'>;
}

/** Records what happens to matches in their traces; null in a process without traces. */
export interface MatchSteps {
  /** A step that is done. It began with the active call, unless `since` tells another time. */
  step(matchId: string, name: string, attributes?: SpanAttributes, since?: number): void;
  /** Links the active span to the trace of a match. */
  linkTo(matchId: string): void;
}

/** Runs work as a span, which ends with it. */
export async function traced<T>(
  traces: Traces,
  name: string,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> {
  const span = traces.begin(name, facts);
  try {
    return await traces.within(span, work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** The headers that carry the context of a span. */
export function traceHeaders(context: string): { traceparent: string; tracestate?: string } {
  const end = context.indexOf(' ');
  if (end < 0) return { traceparent: context };
  return { traceparent: context.slice(0, end), tracestate: context.slice(end + 1) };
}
