import { own } from '@muster/domain';
import { CorsOrigins } from '@muster/contracts';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Text given directly, or `@path` to read it from a file (how Kubernetes hands over secrets). */
export const textOrFile = z
  .string()
  .min(1)
  .transform((value, context) => {
    if (!value.startsWith('@')) return value;
    try {
      return readFileSync(value.slice(1), 'utf8').trim();
    } catch {
      context.addIssue({ code: 'custom', message: `cannot read the file ${value.slice(1)}` });
      return z.NEVER;
    }
  });

const port = z.coerce.number().int().min(0).max(65_535);

/** Settings that every service has. Read once at start; a service that lacks one refuses to start and says which. */
export const serviceSettings = z.object({
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: port,
  REDIS_URL: z.string().min(1),
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(1).max(100).default(8),
  /** Whether statements are kept prepared on each connection; `no` for a pooler that cannot (PgBouncer before 1.21). */
  DATABASE_PREPARE: z
    .enum(['yes', 'no'])
    .default('yes')
    .transform((said) => said === 'yes'),
  /** Whether connections ask Postgres to limit statements, locks and idle transactions; `no` for a pooler that refuses it. */
  DATABASE_LIMITS: z
    .enum(['yes', 'no'])
    .default('yes')
    .transform((said) => said === 'yes'),
  /** Whether connections take the Postgres role of the service: if they can, or else the service does not start, or not at all. */
  DATABASE_ROLE: z.enum(['auto', 'required', 'no']).default('auto'),
  /** How far the machine's clock may be from that of the stores before this replica leaves work to others. */
  CLOCK_SKEW_MS: z.coerce.number().int().min(100).max(3_600_000).default(10_000),
  REALM: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/)
    .default('default'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** A request that is not complete by then is answered 408 and its connection closed. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(25_000),
  /** How long a connection is kept for the next request. Longer than a load balancer keeps its own, or that sends into the void. */
  KEEP_ALIVE_TIMEOUT_MS: z.coerce.number().int().min(100).max(3_600_000).default(75_000),
  /** Streams and long polls that one player, or one server, may hold open at this process. */
  OPEN_CALLS_PER_CALLER: z.coerce.number().int().min(1).max(10_000).default(8),
  /** Streams and long polls that this process holds open at most. */
  OPEN_CALLS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  /** Told to end, a process says that it is not ready and answers on for so long: until load balancers have noticed. */
  DRAIN_PAUSE_MS: z.coerce.number().int().min(0).max(600_000).default(5_000),
  /** After that it ends in good order, or without when that takes longer. */
  DRAIN_LIMIT_MS: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** Public keys of the game's login, as a JWKS. */
  PLAYER_JWKS: textOrFile,
  /** The `iss` that players' tokens must have; without it any will do. */
  PLAYER_ISSUER: z.string().min(1).optional(),
  /** The longest lifetime that a player's token may have; without it any will do. */
  PLAYER_TOKEN_SECONDS: z.coerce.number().int().min(1).optional(),
  /** Our own signing key, as a private JWK (Ed25519): join tokens, server tokens, party passes. */
  COORDINATOR_KEY: textOrFile,
  /** What dedicated servers register with. */
  SERVER_KEY: textOrFile,
  OPERATOR_KEY: textOrFile,
  /** Origins whose pages may call from a browser; none unless set. */
  CORS_ORIGINS: CorsOrigins,
});
export type ServiceSettings = z.infer<typeof serviceSettings>;

export const grpcSettings = z.object({
  GRPC_HOST: z.string().default('127.0.0.1'),
  GRPC_PORT: port,
});

/**
 * Reads settings from the environment.
 *
 * @throws Error with one line a missing or wrong setting
 */
export function readSettings<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const read = schema.safeParse(env);
  if (read.success) return read.data;
  const lines = read.error.issues.map(({ path, message }) => {
    const name = path.join('.');
    return `  ${name}: ${own(env, name) === undefined ? 'is not set' : message}`;
  });
  throw new Error(`The settings in the environment are not complete:\n${lines.join('\n')}`);
}
