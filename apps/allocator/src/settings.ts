import { grpcSettings, serviceSettings, SETTINGS, textOrFile, type Token } from '@muster/platform';
import { z } from 'zod';
import { type HostingSettings, readHosting } from './hosting-file.js';

const fromEnvironment = serviceSettings.extend({
  GRPC_HOST: grpcSettings.shape.GRPC_HOST,
  /**
   * Optional, because the previous release had none. Without it, players cannot leave a match that finds no server, and
   * the queue cannot list builds.
   */
  GRPC_PORT: grpcSettings.shape.GRPC_PORT.optional(),
  ANSWER_MS: z.coerce.number().int().min(100).max(120_000).default(5_000),
  SILENCE_MS: z.coerce.number().int().min(500).max(600_000).default(10_000),
  /** A match that runs longer is abandoned and its players are freed. */
  MATCH_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(3 * 3_600_000),
  AVOID_MS: z.coerce.number().int().min(0).max(600_000).default(15_000),
  /** The hook that is called when a match finds no free server; unset, it is never called. */
  SCALE_OUT_URL: z.url({ protocol: /^https?$/ }).optional(),
  SCALE_OUT_TOKEN: textOrFile.optional(),
  /** The minimum interval between requests for the same build and regions; by default 5 s with HOSTING_FILE, else 30 s. */
  SCALE_OUT_SECONDS: z.coerce.number().int().min(1).max(86_400).optional(),
  /** Builds that may be requested, separated by commas; defaults to those of known servers. */
  SCALE_OUT_BUILDS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional(),
  /** The retention of servers that are lost or have left. */
  SERVER_RETENTION_HOURS: z.coerce.number().min(1).max(87_600).default(168),
  /** The retention of closed sessions, with their commands, reports, conflicts and backfill requests. */
  RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  SCALE_OUT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
  /** Providers of servers, YAML or JSON; unset, servers register by themselves. */
  HOSTING_FILE: z.string().min(1).optional(),
});

/** The settings of the environment, with the providers in HOSTING_FILE. An invalid file throws before anything starts. */
export const allocatorSettings = fromEnvironment.transform((settings) => ({
  ...settings,
  hosting: settings.HOSTING_FILE === undefined ? undefined : readHosting(settings.HOSTING_FILE),
}));
export type AllocatorSettings = z.infer<typeof fromEnvironment> & {
  readonly hosting?: HostingSettings | undefined;
};

/** The settings of this service, for its providers. */
export const ALLOCATOR_SETTINGS: Token<AllocatorSettings> = SETTINGS as Token<AllocatorSettings>;
