import { limitClasses, type LimitClass } from '@muster/contracts';
import { z } from 'zod';
import { Networks, type Network } from './caller-address.js';
import type { Rate } from './bucket.js';

/** Classes of calls, and failed attempts to authenticate. */
export const rateClasses = [...limitClasses, 'attempts'] as const;
export type RateClass = LimitClass | 'attempts';

/** Whose calls a limit counts together. */
export const subjects = ['player', 'address', 'server', 'key'] as const;
export type Subject = (typeof subjects)[number];

/** The limits of each class by subject; without one, calls are not limited. */
export type Rates = Readonly<Record<RateClass, Readonly<Partial<Record<Subject, Rate | null>>>>>;

const perSecond = (burst: number, calls: number): Rate => ({ burst, perMinute: calls * 60 });
const perMinute = (burst: number, calls: number): Rate => ({ burst, perMinute: calls });

/**
 * What no honest client comes near. An address stands for a school of some thousand players behind one; docs/limits.md says how
 * to size them.
 */
export const defaultRates: Rates = {
  tickets: { player: perMinute(30, 30), address: perSecond(600, 20) },
  parties: { player: perMinute(60, 60), address: perSecond(600, 20) },
  changes: { player: perMinute(120, 120), address: perSecond(1_200, 40), key: perSecond(20_000, 1_000) },
  logins: { address: perSecond(300, 5) },
  registrations: { address: perSecond(1_000, 10), key: perSecond(5_000, 50) },
  servers: { server: perSecond(2_000, 500) },
  reads: {
    player: perSecond(300, 20),
    address: perSecond(6_000, 600),
    server: perSecond(300, 50),
    key: perSecond(20_000, 2_000),
  },
  attempts: { address: perSecond(300, 5) },
};

const Limit = z
  .strictObject({
    burst: z.number().int().min(1).max(1_000_000),
    perMinute: z.number().min(0.1).max(60_000_000),
  })
  .nullable();

const limitsOf = (rateClass: RateClass): z.ZodType<Readonly<Partial<Record<Subject, Rate | null>>>> =>
  z.strictObject(
    Object.fromEntries(Object.keys(defaultRates[rateClass]).map((subject) => [subject, Limit.optional()])),
  ) as z.ZodType<Readonly<Partial<Record<Subject, Rate | null>>>>;

const Document = z
  .strictObject({
    ...(Object.fromEntries(rateClasses.map((each) => [each, limitsOf(each).optional()])) as Record<
      RateClass,
      z.ZodOptional<ReturnType<typeof limitsOf>>
    >),
    exempt: z
      .array(z.string())
      .default(['private'])
      .transform((parts) => parts.join(','))
      .pipe(Networks),
  })
  .transform(({ exempt, ...given }): RateLimitSettings => ({ rates: withDefaults(given), exempt }));

/** The limits that are in force; `rates` is null where none are. */
export interface RateLimitSettings {
  readonly rates: Rates | null;
  /** Networks whose addresses are not counted. */
  readonly exempt: readonly Network[];
}

/** The document of RATE_LIMITS: `off`, or what is other than by default. */
export const RateLimitDocument = z.transform((value: unknown, context): RateLimitSettings => {
  if (value === 'off') return { rates: null, exempt: [] };
  const read = Document.safeParse(value);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues)
    context.issues.push({ code: 'custom', path, message, input: value });
  return z.NEVER;
});

function withDefaults(given: Partial<Rates>): Rates {
  return Object.fromEntries(
    rateClasses.map((each) => [each, { ...defaultRates[each], ...given[each] }]),
  ) as unknown as Rates;
}
