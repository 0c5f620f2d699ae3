import { CorsOrigins, operatorRoles } from '@muster/contracts';
import { BadAddress, readAddress } from '@muster/db';
import { defaultDelayMs } from '@muster/domain';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { traceSettings } from './trace-settings.js';
import { namedKeys } from '../auth/coordinator-keys.js';
import { TokenVerifier, tokenAlgorithms, type Jwks } from '../keys/jwt.js';
import { mayFetch } from '../keys/key-reader.js';
import { readLogins } from '../logins/login-document.js';
import { Networks } from '../limits/caller-address.js';
import { RateLimitDocument } from '../limits/limit-settings.js';
import { documentSetting } from './document-setting.js';
import { readRoleNames } from '../auth/operator-tokens.js';

/** Text, or `@path` to read it from a file (the form of mounted Kubernetes secrets). */
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

/**
 * Such text of which something can be made.
 *
 * @param what what it must be. The text itself may be a secret, so no message repeats a part of it.
 */
function textFor(what: string, make: (text: string) => unknown): typeof textOrFile {
  return textOrFile.refine((text) => {
    try {
      make(text);
      return true;
    } catch {
      return false;
    }
  }, `must be ${what}`);
}

const verifierOf = (text: string): TokenVerifier =>
  new TokenVerifier(JSON.parse(text) as Jwks, tokenAlgorithms);

/** Whether keys are given by the address that publishes them. */
export const isAddress = (keys: string): boolean => /^https?:\/\//.test(keys);

/** @throws TypeError for an address from which keys are not fetched */
export function addressOf(keys: string): URL {
  const url = new URL(keys);
  if (!mayFetch(url, false)) throw new TypeError('Keys are fetched over https.');
  return url;
}

/** The address of a database, with the problem of one that is unusable. */
const databaseAddress = z
  .string()
  .min(1)
  .superRefine((url, context) => {
    try {
      readAddress(url);
    } catch (error) {
      const message = error instanceof BadAddress ? error.message : 'is not the address of a database';
      context.addIssue({ code: 'custom', message });
    }
  });

const port = z.coerce.number().int().min(0).max(65_535);

/** Settings of every service. They are read once at start; a service without a required one reports it and exits. */
export const serviceSettings = z.object({
  ...traceSettings.shape,
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: port,
  /** Where Redis is: one server, sentinels or a Cluster; see `readRedisTarget`. */
  REDIS_URL: textOrFile,
  /** The ACL user, if the URL names none. */
  REDIS_USERNAME: z.string().optional(),
  REDIS_PASSWORD: textOrFile.optional(),
  REDIS_SENTINEL_USERNAME: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: textOrFile.optional(),
  /** PEM files for TLS: the authority of servers, and the certificate of this client. */
  REDIS_CA_FILE: z.string().optional(),
  REDIS_CERT_FILE: z.string().optional(),
  REDIS_KEY_FILE: z.string().optional(),
  /** The name that certificates of servers must have, where it is not their host. */
  REDIS_SERVERNAME: z.string().optional(),
  /** How many replicas must hold what a caller is told and the jobs that are sent; 0 does not wait. */
  REDIS_WAIT_REPLICAS: z.coerce.number().int().min(0).max(5).default(0),
  /** The time limit for that. */
  REDIS_WAIT_MS: z.coerce.number().int().min(10).max(10_000).default(1_000),
  /** One host or several, see `readAddress`. */
  DATABASE_URL: databaseAddress,
  /** The certificate authority of the database's servers, in PEM form. With it, certificates are verified. */
  DATABASE_CA: textOrFile
    .refine(
      (text) => /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(text),
      'must be a certificate in PEM form, or @file',
    )
    .optional(),
  /** A read replica of the database, for histories and exports. */
  DATABASE_READ_URL: databaseAddress.optional(),
  /** The maximum age of what is read from the replica; beyond it the primary answers. */
  DATABASE_READ_LAG_MS: z.coerce.number().int().min(0).max(3_600_000).default(5_000),
  DATABASE_POOL: z.coerce.number().int().min(1).max(100).default(8),
  /** Whether statements stay prepared on each connection; `no` for a pooler without support (PgBouncer before 1.21). */
  DATABASE_PREPARE: z
    .enum(['yes', 'no'])
    .default('yes')
    .transform((raw) => raw === 'yes'),
  /**
   * Whether connections set Postgres time-outs for statements, locks and idle transactions; `no` for a pooler that
   * rejects them.
   */
  DATABASE_LIMITS: z
    .enum(['yes', 'no'])
    .default('yes')
    .transform((raw) => raw === 'yes'),
  /** Whether connections take the Postgres role of the service: if possible, required for start, or not at all. */
  DATABASE_ROLE: z.enum(['auto', 'required', 'no']).default('auto'),
  /** The clock difference between machine and stores beyond which this replica leaves work to others. */
  CLOCK_SKEW_MS: z.coerce.number().int().min(100).max(3_600_000).default(10_000),
  REALM: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/)
    .default('default'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** A request that is incomplete after this time is answered 408 and its connection closed. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(25_000),
  /**
   * How long an idle connection is kept. It must exceed the load balancer's limit, or that sends requests to closed
   * connections.
   */
  KEEP_ALIVE_TIMEOUT_MS: z.coerce.number().int().min(100).max(3_600_000).default(75_000),
  /** New tickets are refused while every one takes longer; 0: only when 500 are being created. */
  ADMISSION_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(defaultDelayMs),
  /** The maximum number of streams and long polls per player or server at this process. */
  OPEN_CALLS_PER_CALLER: z.coerce.number().int().min(1).max(10_000).default(8),
  /** The same by address of players. */
  OPEN_CALLS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(2_000),
  /** The maximum number of streams and long polls at this process. */
  OPEN_CALLS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  /**
   * After SIGTERM a process reports "not ready" and keeps answering for this time, until load balancers have noticed.
   */
  DRAIN_PAUSE_MS: z.coerce.number().int().min(0).max(600_000).default(5_000),
  /** The time limit of a clean shutdown after that; then the process exits. */
  DRAIN_LIMIT_MS: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** The logins of the game: a document, see `readLogins`. */
  PLAYER_LOGINS: textOrFile
    .transform((text, context) => {
      const read = readLogins(text);
      if (read.ok) return read.value;
      for (const message of read.flaws) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional(),
  /** Public keys of one more login of the game, as a JWKS. */
  PLAYER_JWKS: textFor('a JWKS, that is JSON with a list "keys", or @file', verifierOf).optional(),
  /** The required `iss` of that login's tokens; unset, any is accepted that no other login has. */
  PLAYER_ISSUER: z.string().min(1).optional(),
  /** The maximum lifetime of its tokens; unset, any is accepted. */
  PLAYER_TOKEN_SECONDS: z.coerce.number().int().min(1).optional(),
  /** Whether a device can sign in as a guest. */
  GUEST_LOGIN: z.enum(['on', 'off']).default('off'),
  /**
   * The coordinator's signing key, as a private JWK (Ed25519), for join tokens, server tokens and party passes. Two during a
   * rotation: the first signs, both verify.
   */
  COORDINATOR_KEY: textFor(
    'a private JWK (Ed25519), or two with different `kid` and white space between them, or @file',
    namedKeys,
  ),
  /**
   * Whether gRPC calls of other services need a token, which derives from COORDINATOR_KEY; `optional` while replicas of 0.2.0,
   * which send none, still call.
   */
  GRPC_TOKENS: z.enum(['required', 'optional']).default('required'),
  /** PEM files for mutual TLS between services: the authority, and this service's certificate with its key. All or none. */
  GRPC_CA_FILE: z.string().optional(),
  GRPC_CERT_FILE: z.string().optional(),
  GRPC_KEY_FILE: z.string().optional(),
  /** The key with which dedicated servers register. */
  SERVER_KEY: textOrFile,
  /** An operator key with the role admin; two, with white space between them, during a rotation. So is SERVER_KEY. */
  OPERATOR_KEY: textOrFile,
  /** Public keys of the identity provider of operators: an address, or a JWKS. Without it, operators have keys only. */
  OPERATOR_JWKS: textFor(
    'the https address of a JWKS, or a JWKS, that is JSON with a list "keys", or @file',
    (text) => (isAddress(text) ? addressOf(text) : verifierOf(text)),
  ).optional(),
  /** The `iss` and `aud` of operators' tokens. */
  OPERATOR_ISSUER: z.string().min(1).optional(),
  OPERATOR_AUDIENCE: z.string().min(1).default('muster-operators'),
  /** The claim with the names of roles, and the one with the name for the audit log; with dots, a path. */
  OPERATOR_ROLES_CLAIM: z.string().min(1).default('roles'),
  OPERATOR_NAME_CLAIM: z.string().min(1).default('sub'),
  /** The provider's names of roles, such as `admin=leads,operator=on call`; unset, our own names. */
  OPERATOR_ROLE_NAMES: z
    .string()
    .default('')
    .transform((text, context) => {
      const names = readRoleNames(text);
      if (names) return names;
      context.addIssue({
        code: 'custom',
        message: `must be pairs such as operator=on-call, with commas between them; roles are ${operatorRoles.join(', ')}`,
      });
      return z.NEVER;
    }),
  /** Origins whose pages may call from a browser; none by default. */
  CORS_ORIGINS: CorsOrigins,
  /** How often callers may call; see docs/limits.md. */
  RATE_LIMITS: documentSetting(textOrFile, RateLimitDocument).prefault('{}'),
  /** Proxies that write `X-Forwarded-For`, the edge included. */
  TRUSTED_PROXIES: Networks.prefault('private'),
});
export type ServiceSettings = z.infer<typeof serviceSettings>;

/** Where the replicas of another service are. */
export const grpcAddress = z
  .string()
  .min(1)
  .refine(
    (address) => !address.includes(',') || /^ipv[46]:/.test(address),
    'must begin with ipv4: or ipv6: if it has several addresses, as in ipv4:10.0.0.5:50051,10.0.0.6:50051',
  );

export const grpcSettings = z.object({
  GRPC_HOST: z.string().default('127.0.0.1'),
  GRPC_PORT: port,
});
