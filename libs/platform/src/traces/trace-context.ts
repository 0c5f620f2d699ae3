import { traceHeaders, type SpanFacts } from '@muster/contracts';
import { ROOT_CONTEXT, trace, TraceFlags, type SpanContext } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

/** The longest `tracestate` that is passed on. A longer one is left out, as is any that is malformed. */
const longestState = 512;

const propagator = new W3CTraceContextPropagator();
const getter = {
  keys: (headers: Readonly<Record<string, unknown>>): string[] => Object.keys(headers),
  get: (headers: Readonly<Record<string, unknown>>, name: string): string | undefined => {
    const value = headers[name === 'traceparent' ? 'traceparent' : 'tracestate'];
    if (typeof value !== 'string') return undefined;
    return name === 'tracestate' && value.length > longestState ? undefined : value;
  },
};

/** The context that headers carry; undefined without a valid `traceparent`. */
export function contextIn(headers: Readonly<Record<string, unknown>>): SpanContext | undefined {
  // The propagator accepts white space around it, and versions to come.
  const found = trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, getter));
  return found && { ...found, traceFlags: found.traceFlags & TraceFlags.SAMPLED };
}

/** The context of a text of {@link textOf}; undefined of any other. */
export const contextOf = (text: string): SpanContext | undefined => contextIn({ ...traceHeaders(text) });

/** A context as text: `traceparent`, and after a space `tracestate` if there is one. */
export function textOf({ traceId, spanId, traceFlags, traceState }: SpanContext): string {
  const parent = `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
  const state = traceState?.serialize() ?? '';
  return state === '' ? parent : `${parent} ${state}`;
}

/**
 * What the context of a caller means for the span of their call.
 *
 * @param trusts whether callers may continue their traces and decide which are sampled. Otherwise the span begins a trace and
 * links to theirs: one caller could have everything sampled, or put every call into one trace
 */
export function originOf(
  headers: Readonly<Record<string, unknown>>,
  trusts: boolean,
): Pick<SpanFacts, 'parent' | 'links'> {
  const caller = contextIn(headers);
  if (!caller) return { parent: null };
  return trusts ? { parent: textOf(caller) } : { parent: null, links: [textOf(caller)] };
}
