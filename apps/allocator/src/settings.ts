import { grpcSettings, serviceSettings, SETTINGS, textOrFile, type Token } from '@muster/platform';
import { z } from 'zod';

export const allocatorSettings = serviceSettings.extend({
  GRPC_HOST: grpcSettings.shape.GRPC_HOST,
  /** Without it nobody can leave a match that finds no server or ask for builds: the release before had none. */
  GRPC_PORT: grpcSettings.shape.GRPC_PORT.optional(),
  ANSWER_MS: z.coerce.number().int().min(100).max(120_000).default(5_000),
  SILENCE_MS: z.coerce.number().int().min(500).max(600_000).default(10_000),
  /** A match that is not over by then is abandoned and its players are free. */
  MATCH_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(3 * 3_600_000),
  AVOID_MS: z.coerce.number().int().min(0).max(600_000).default(15_000),
  /** Who is asked for servers when a match finds none free; without it nobody is. */
  SCALE_OUT_URL: z.url({ protocol: /^https?$/ }).optional(),
  SCALE_OUT_TOKEN: textOrFile.optional(),
  /** How often at most about the same build and regions. */
  SCALE_OUT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(30),
  /** Builds that servers may be asked for, with commas; without it those of servers that are known. */
  SCALE_OUT_BUILDS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional(),
  /** How long a server that is lost or has left is kept. */
  SERVER_RETENTION_HOURS: z.coerce.number().min(1).max(87_600).default(168),
  /** How long closed sessions are kept, with their commands, reports, conflicts and requests for players. */
  RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  SCALE_OUT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});
export type AllocatorSettings = z.infer<typeof allocatorSettings>;

/** The settings of this service, for its providers. */
export const ALLOCATOR_SETTINGS: Token<AllocatorSettings> = SETTINGS as Token<AllocatorSettings>;
