import { Label, PlayerId, PoolName, SeasonRulesBody } from '@muster/domain/schemas';
import { z } from 'zod';
import { Text } from '../operator-words.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs, Moment } from '../../times.js';

export const SeasonParams = z.strictObject({
  pool: PoolName,
  number: wholeInUrl(1, 100_000),
});
export const ArchivedSeasonParams = z.strictObject({
  pool: PoolName,
  number: wholeInUrl(0, 100_000),
});
export const SeasonView = z
  .object({
    pool: PoolName,
    number: z.number().int().meta({ description: 'From 1; 0 is the time before the first season.' }),
    name: z.string(),
    state: z.enum(['announced', 'running', 'ended']),
    rules: SeasonRulesBody,
    by: z.string(),
    reason: z.string(),
    startsAt: EpochMs.nullable().meta({
      description: 'The `startsAt` that was given: when an announced season begins.',
    }),
    startedAt: EpochMs.nullable(),
    endedAt: EpochMs.nullable(),
    archivedAt: EpochMs.nullable().meta({
      description:
        'When all final standings were archived and ranked; null before, when they cannot be read yet.',
    }),
    ranked: z.number().int().meta({ description: 'Players with a rank in the archive so far.' }),
  })
  .meta({ id: 'Season' });
export type SeasonView = z.infer<typeof SeasonView>;
export const SeasonList = z.object({ seasons: z.array(SeasonView) }).meta({ id: 'SeasonList' });

export const BeginSeason = z
  .strictObject({
    name: Label.optional().meta({ description: 'Omitted: as it was announced, or "Season N".' }),
    startsAt: Moment.optional().meta({
      description:
        'Announces the season for this time. Omitted: it begins now. A time more than a minute ago is refused, unless the season was announced for it.',
    }),
    rules: SeasonRulesBody.optional().meta({
      description: 'Omitted: as they were announced, or the pool’s season rules.',
    }),
    reason: Text.optional().meta({ description: 'Omitted: as it was announced, or "A new season."' }),
  })
  .meta({ id: 'BeginSeason' });
export type BeginSeason = z.infer<typeof BeginSeason>;

export const PreviewSeason = z
  .strictObject({
    rules: SeasonRulesBody.optional().meta({
      description: 'By default those that were announced, or the pool’s season rules.',
    }),
  })
  .meta({ id: 'PreviewSeason' });
export type PreviewSeason = z.infer<typeof PreviewSeason>;

const Distribution = z.object({
  mean: z.number(),
  meanUncertainty: z.number(),
  quantiles: z
    .object({ p5: z.number(), p25: z.number(), p50: z.number(), p75: z.number(), p95: z.number() })
    .meta({ description: 'Of the means.' }),
  divisions: z.array(z.object({ name: z.string(), players: z.number().int() })),
});
export const SeasonPreview = z
  .object({
    pool: PoolName,
    number: z.number().int().meta({ description: 'The number of the next season.' }),
    rules: SeasonRulesBody,
    at: EpochMs,
    players: z.number().int().meta({ description: 'Players with a rating.' }),
    before: Distribution,
    after: Distribution,
    higher: z.number().int().meta({ description: 'Players who would be in a higher division.' }),
    lower: z.number().int(),
  })
  .meta({ id: 'SeasonPreview' });
export type SeasonPreview = z.infer<typeof SeasonPreview>;

export const PageOfStandings = z.strictObject({
  from: wholeInUrl(1, Number.MAX_SAFE_INTEGER).default(1).meta({ description: 'Ranks from this one.' }),
  limit: wholeInUrl(1, 1_000).default(100),
  players: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(PlayerId).min(1).max(100))
    .optional()
    .meta({ description: 'Only these players, with or without a rank: ids separated by commas.' }),
});
export const StandingView = z.object({
  rank: z.number().int().nullable().meta({
    description:
      'Equal ratings share a rank. null: the player was not on the leaderboard at the end, because the placement matches were not finished or the last match was too long ago.',
  }),
  playerId: PlayerId,
  name: z.string().nullable().optional().meta({ description: 'The last display name; null: none is known.' }),
  division: z.string().nullable().meta({ description: 'null: it was hidden.' }),
  matches: z.number().int().meta({ description: 'Rated matches in this season.' }),
  mu: z.number().optional().meta({ description: 'For operators and servers.' }),
  sigma: z.number().optional(),
});
export type StandingView = z.infer<typeof StandingView>;
export const SeasonStandings = z
  .object({
    season: SeasonView,
    standings: z.array(StandingView),
  })
  .meta({ id: 'SeasonStandings' });
export type SeasonStandings = z.infer<typeof SeasonStandings>;

export const SeasonWithdrawn = z.object({ withdrawn: z.literal(true) }).meta({ id: 'SeasonWithdrawn' });
