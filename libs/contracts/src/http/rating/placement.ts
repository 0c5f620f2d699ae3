import { PoolName } from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews } from '../../messages/message-views.js';
import { EpochMs } from '../../times.js';

/** How well stats tell skill in a pool, on players that were left out of the fit. */
const Fit = z.object({
  fittedAt: EpochMs,
  matches: z.number().int().meta({ description: 'Matches with stats that it was made from, the latest.' }),
  rows: z.number().int().meta({ description: 'Stats of one player in one match.' }),
  players: z.number().int().meta({ description: 'Players with a converged rating.' }),
  incomplete: z.number().int().meta({
    description: 'Rows left out because they lack a stat that at least 90 % of all have.',
  }),
  r2: z.number().meta({ description: 'Share of the differences that the stats explain.' }),
  heldOutR2: z.number().meta({ description: 'The same for players left out of the fit.' }),
  heldOutError: z.number().meta({ description: 'Root mean square, in points of the rating.' }),
  errorOfMean: z.number().meta({ description: 'The same with every player placed at the mean.' }),
  reliability: z.number().meta({
    description: 'Share of the variance of skill that the ratings of the fit have.',
  }),
  stats: z
    .array(z.object({ name: z.string(), weight: z.number() }))
    .meta({ description: 'Points of the rating for a standard deviation more, the strongest first.' }),
});

export const PlacementView = z
  .object({
    pool: PoolName,
    used: z.boolean().meta({ description: 'Whether newcomers are placed by their stats.' }),
    why: z.string().meta({ description: 'Why, or why not, with the figures.' }),
    whyMessages: MessageViews,
    rules: z
      .object({ leastR2: z.number(), minMatches: z.number().int(), window: z.number().int() })
      .nullable()
      .meta({ description: 'null: the pool places newcomers by results alone.' }),
    fit: Fit.nullable().meta({ description: 'null: none could be made.' }),
  })
  .meta({ id: 'Placement' });
export type PlacementView = z.infer<typeof PlacementView>;

/** A tuning of a pool's rules on its own history. */
export const PoolTuned = z
  .object({
    pool: PoolName,
    matches: z.number().int().meta({ description: 'Rated matches of the pool at that time.' }),
  })
  .meta({ id: 'PoolTuned' });
export type PoolTuned = z.infer<typeof PoolTuned>;
