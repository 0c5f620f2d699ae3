import { z } from 'zod';

const samplers = ['always_on', 'always_off', 'traceidratio'] as const;

/** Settings of traces, with the names of OpenTelemetry. Its exporter reads further ones, such as OTEL_EXPORTER_OTLP_HEADERS. */
export const traceSettings = z.object({
  /** Where spans are sent, by OTLP over HTTP; unset: none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  /** Which calls begin a trace that is sampled. One that is continued is sampled as its beginning was, by any of these. */
  OTEL_TRACES_SAMPLER: z
    .enum([...samplers, ...samplers.map((name) => `parentbased_${name}` as const)])
    .default('parentbased_traceidratio'),
  /** Their share. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Whether callers may continue their traces, and so decide which are sampled. */
  TRACES_TRUST_CALLERS: z
    .enum(['yes', 'no'])
    .default('no')
    .transform((raw) => raw === 'yes'),
});
export type TraceSettings = z.infer<typeof traceSettings>;

/** The share of calls that begin a sampled trace. */
export function sampledShare({
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: share,
}: Pick<TraceSettings, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>): number {
  if (sampler.endsWith('ratio')) return share;
  return sampler.endsWith('always_on') ? 1 : 0;
}
