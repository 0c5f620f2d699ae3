import { grpcSettings, serviceSettings, SETTINGS, textOrFile, type Token } from '@muster/platform';
import { noSpares, type PlacementTimeouts, type ScaleOutLimits, type SpareSlots } from '@muster/domain';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type HostingSettings, readHosting } from './hosting-file.js';
import { readSpareSlots } from './spare-slots.js';

const fromEnvironment = serviceSettings.extend({
  GRPC_HOST: grpcSettings.shape.GRPC_HOST,
  /**
   * Optional, because the previous release had none. Without it, players cannot leave a match that finds no server, and
   * the queue cannot list builds.
   */
  GRPC_PORT: grpcSettings.shape.GRPC_PORT.optional(),
  ANSWER_MS: z.coerce.number().int().min(100).max(120_000).default(5_000),
  SILENCE_MS: z.coerce.number().int().min(500).max(600_000).default(10_000),
  /** Silence of most servers at once is judged only after this time. */
  MASS_SILENCE_MS: z.coerce.number().int().min(500).max(86_400_000).default(300_000),
  /** A match that runs longer is abandoned and its players are freed. */
  MATCH_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(3 * 3_600_000),
  /** The lifetime of servers' tokens, which heartbeats renew. */
  SERVER_TOKEN_SECONDS: z.coerce.number().int().min(2).max(31_536_000).default(86_400),
  /** Whether the host of a server may be the machine itself or another address that is of no use to other machines. */
  SERVER_LOCAL_HOSTS: z
    .enum(['yes', 'no'])
    .default('no')
    .transform((raw) => raw === 'yes'),
  AVOID_MS: z.coerce.number().int().min(0).max(600_000).default(15_000),
  /** A server whose processor load is above this gets no match; 1: the processor never keeps matches away. */
  OVERLOAD_CPU: z.coerce.number().min(0.05).max(1).default(0.95),
  /** A server whose ticks take a larger share of their time gets no match. */
  OVERLOAD_TICK: z.coerce.number().min(0.05).max(1_000).default(1),
  /** The hook that is called when a match finds no free server; unset, it is never called. */
  SCALE_OUT_URL: z.url({ protocol: /^https?$/ }).optional(),
  SCALE_OUT_TOKEN: textOrFile.optional(),
  /** The minimum interval between requests for the same build and regions; by default 5 s with HOSTING_FILE alone, else 30 s. */
  SCALE_OUT_SECONDS: z.coerce.number().int().min(1).max(86_400).optional(),
  /** Builds that may be requested, separated by commas; defaults to those of known servers. */
  SCALE_OUT_BUILDS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional(),
  /** How long a server that the hook was asked for counts as on its way; defaults to SCALE_OUT_SECONDS. No effect with HOSTING_FILE. */
  SCALE_OUT_START_SECONDS: z.coerce.number().int().min(1).max(86_400).optional(),
  /** Slots that are kept free for each build, by region; unset, none. */
  SPARE_SLOTS: z
    .string()
    .transform((text, context): SpareSlots => {
      const read = readSpareSlots(text);
      if (typeof read !== 'string') return read;
      context.addIssue({ code: 'custom', message: read });
      return z.NEVER;
    })
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

/** By default, the minimum seconds between requests: providers count what they were asked for, the hook does not. */
const [hostingSeconds, hookSeconds] = [5, 30];

type ScaleOutSettings = Pick<
  AllocatorSettings,
  | 'hosting'
  | 'SCALE_OUT_URL'
  | 'SCALE_OUT_SECONDS'
  | 'SCALE_OUT_START_SECONDS'
  | 'SCALE_OUT_BUILDS'
  | 'SPARE_SLOTS'
>;

/** When servers are requested. */
export function scaleOutLimits(settings: ScaleOutSettings): ScaleOutLimits {
  const isCounted = settings.hosting !== undefined && settings.SCALE_OUT_URL === undefined;
  const seconds = settings.SCALE_OUT_SECONDS ?? (isCounted ? hostingSeconds : hookSeconds);
  const startSeconds = settings.SCALE_OUT_START_SECONDS ?? seconds;
  return {
    everyMs: seconds * 1000,
    // An allocation is on its way until its server registers or the provider gives up, and providers count those.
    startMs: settings.hosting === undefined ? startSeconds * 1000 : 0,
    builds: settings.SCALE_OUT_BUILDS,
    spares: settings.SPARE_SLOTS ?? noSpares,
  };
}

/** The limits of silence, of answers and of matches. */
export interface Timeouts extends PlacementTimeouts {
  /** The maximum duration of a match. */
  readonly matchLimitMs: number;
}

export const timeoutsOf = (settings: AllocatorSettings): Timeouts => ({
  answerMs: settings.ANSWER_MS,
  silenceMs: settings.SILENCE_MS,
  massSilenceMs: Math.max(settings.SILENCE_MS, settings.MASS_SILENCE_MS),
  avoidMs: settings.AVOID_MS,
  matchLimitMs: settings.MATCH_LIMIT_MS,
});

/** Stays the same after a restart, so that the other replicas do not wait for a replica that returned. */
export function replicaName({ HTTP_PORT }: Pick<AllocatorSettings, 'HTTP_PORT'>): string {
  return `${hostname()}:${HTTP_PORT === 0 ? process.pid : HTTP_PORT}`;
}

/** The settings of this service, for its providers. */
export const ALLOCATOR_SETTINGS: Token<AllocatorSettings> = SETTINGS as Token<AllocatorSettings>;
