import { z } from 'zod';
import { endpoints, type Endpoint } from './endpoints.js';

/** A scheme, a host and optionally a port: the browser's `Origin`. */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/\s,]+$/;

/** Origins whose pages may read answers, from a setting: separated by commas, `*` for any, none by default. */
export const CorsOrigins = z
  .string()
  .default('')
  .transform((text, context) => {
    const origins = text.split(',').flatMap((part) => part.trim() || []);
    const invalid = origins.filter((each) => each !== '*' && !origin.test(each));
    if (invalid.length === 0) return origins;
    context.addIssue({
      code: 'custom',
      message: `must be origins separated by commas, such as https://play.example, not ${invalid.join(', ')}`,
    });
    return z.NEVER;
  });

/** The permissions of other origins, in the form of `@fastify/cors`. */
export interface CorsOptions {
  readonly origin: '*' | string[];
  readonly methods: string[];
  readonly allowedHeaders: string[];
  readonly exposedHeaders: string[];
  readonly maxAge: number;
  readonly strictPreflight: boolean;
}

/** @returns null when no other origin may read answers. Calls carry a token and no cookie, so credentials are never allowed. */
export function corsOptions(origins: readonly string[]): CorsOptions | null {
  if (origins.length === 0) return null;
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: [...new Set(Object.values<Endpoint>(endpoints).map(({ method }) => method))],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID'],
    exposedHeaders: ['Retry-After', 'Allow', 'RateLimit', 'RateLimit-Policy'],
    // Browsers cache it for two hours at most.
    maxAge: 7_200,
    // An OPTIONS request that is no preflight is an unknown method.
    strictPreflight: false,
  };
}
