import { CreatePool } from '@muster/contracts';
import { PoolName } from '@muster/domain/schemas';
import { grpcSettings, serviceSettings, SETTINGS, type Token } from '@muster/platform';
import { modelKinds } from '@muster/skill';
import { z } from 'zod';
import { lineSettings } from './line-settings.js';

const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim());

export const ratingSettings = serviceSettings.extend({
  ...grpcSettings.shape,
  ...lineSettings.shape,
  /** Pools that are created at start if they do not exist, separated by commas. */
  POOLS: z
    .string()
    .default('default,duel')
    .refine(
      (names) => namesIn(names).every((name) => PoolName.safeParse(name).success),
      'must be names of pools, separated by commas; a name holds only small letters, digits and - (40 at most)',
    ),
  POOL_MODEL: z
    .string()
    .default('openskill-plackett-luce')
    .refine((model) => modelKinds.some(({ name }) => name === model), {
      error: ({ input }) =>
        `there is no rating model ${JSON.stringify(input)}; "muster pools models" lists them`,
    }),
  /** Another process takes over a rebuild whose lease was not renewed for this time. */
  REBUILD_LEASE_MS: z.coerce.number().int().min(1_000).max(600_000).default(15_000),
  /** How often each pool's calibration is evaluated. */
  RECALIBRATE_MS: z.coerce.number().int().min(100).max(3_600_000).default(30_000),
  /** The retention of display names that no token or server told again. */
  NAME_RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(365),
});
export type RatingSettings = z.infer<typeof ratingSettings>;

/** The settings of this service, for its providers. */
export const RATING_SETTINGS: Token<RatingSettings> = SETTINGS as Token<RatingSettings>;

/** The pools that the service creates at start. */
export function seedsOf({ POOLS, POOL_MODEL }: Pick<RatingSettings, 'POOLS' | 'POOL_MODEL'>): CreatePool[] {
  return namesIn(POOLS).map((name) => CreatePool.parse({ name, model: POOL_MODEL }));
}
