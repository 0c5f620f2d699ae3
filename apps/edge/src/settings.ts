import { CorsOrigins } from '@muster/contracts';
import { defaultDelayMs } from '@muster/platform/admission';
import { Networks } from '@muster/platform/caller-address';
import { readSettings } from '@muster/platform/read-settings';
import { traceSettings } from '@muster/platform/traces';
import { z } from 'zod';
import type { Upstreams } from './edge.js';

const ms = (least: number, most: number, otherwise: number): z.ZodDefault<z.ZodCoercedNumber> =>
  z.coerce.number().int().min(least).max(most).default(otherwise);

const origins = z.array(z.url({ protocol: /^https?$/ })).min(1);
const upstreams = z.object({ queue: origins, assignment: origins, allocator: origins, rating: origins });

/** The settings of the public server. */
export const originSettings = z.object({
  EDGE_HOST: z.string().default('127.0.0.1'),
  EDGE_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  REQUEST_TIMEOUT_MS: ms(100, 600_000, 25_000),
  EDGE_KEEP_ALIVE_TIMEOUT_MS: ms(100, 3_600_000, 25_000),
  /** Origins whose pages may call from a browser; none by default. */
  CORS_ORIGINS: CorsOrigins,
  /** Proxies in front that write `X-Forwarded-For`. What others write there is dropped. */
  TRUSTED_PROXIES: Networks.prefault('private'),
  /** Connections of one address that is neither private nor a trusted proxy. */
  EDGE_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(5_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});
export type OriginSettings = z.infer<typeof originSettings>;

/** The settings of the edge. */
export const edgeSettings = originSettings.extend({
  ...traceSettings.shape,
  /** The services' addresses, as JSON: `{"queue":["http://…"],…}`. */
  EDGE_UPSTREAMS: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(upstreams) satisfies z.ZodType<Upstreams>,
  EDGE_CONNECT_MS: ms(50, 60_000, 2_000),
  EDGE_ANSWER_MS: ms(100, 600_000, 10_000),
  EDGE_LONG_ANSWER_MS: ms(100, 3_600_000, 60_000),
  EDGE_STREAM_SILENCE_MS: ms(100, 600_000, 15_000),
  EDGE_PROBE_MS: ms(50, 60_000, 1_000),
  EDGE_SILENT_MS: ms(50, 60_000, 2_000),
  /** New tickets are refused while each of them takes longer; 0: only when 500 wait for an answer. */
  EDGE_ADMISSION_DELAY_MS: ms(0, 60_000, defaultDelayMs),
  EDGE_OPEN_CALLS: ms(1, 1_000_000, 20_000),
  EDGE_OPEN_CALLS_PER_ADDRESS: ms(1, 1_000_000, 4_000),
  EDGE_DRAIN_MS: ms(0, 600_000, 0),
  /** Where the edge answers `/metrics`; nowhere by default. */
  EDGE_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
});
export type EdgeSettings = z.infer<typeof edgeSettings>;

/** @throws Misconfigured with one line per missing or invalid setting */
export function readEdgeSettings(env: NodeJS.ProcessEnv): EdgeSettings {
  return readSettings(edgeSettings, env);
}
