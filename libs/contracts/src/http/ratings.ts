import { z } from 'zod';
import { CoordinatorId, PlayedMs, PlayerId, PoolName } from '../ids.js';

export const RatingView = z
  .object({
    pool: PoolName,
    playerId: PlayerId,
    mu: z.number(),
    sigma: z.number(),
    display: z.number().meta({ description: 'A cautious single number: mu less three sigma.' }),
    matches: z.number().int(),
  })
  .meta({ id: 'Rating' });
export type RatingView = z.infer<typeof RatingView>;
export const RatingParams = z.strictObject({ pool: PoolName, playerId: PlayerId });
export const PoolParams = z.strictObject({ pool: PoolName });
export const PageOfRatings = z.strictObject({
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
  after: PlayerId.optional().meta({ description: 'Players after this id, in the order of ids.' }),
});
export const RatingList = z.object({ ratings: z.array(RatingView) }).meta({ id: 'RatingList' });
export const MyRating = z.strictObject({ pool: PoolName.default('default') });

export const CreatePool = z
  .strictObject({
    name: PoolName,
    model: z.enum(['openskill-plackett-luce']).default('openskill-plackett-luce'),
  })
  .meta({ id: 'CreatePool' });
export const PoolView = z
  .object({
    name: PoolName,
    model: z.string(),
    parameters: z.record(z.string(), z.number()),
    parametersVersion: z.number().int(),
    generation: z.number().int(),
    created: z.boolean().optional(),
  })
  .meta({ id: 'Pool' });
export const PoolList = z.object({ pools: z.array(PoolView) }).meta({ id: 'PoolList' });

export const ReportResult = z
  .strictObject({
    eventId: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/,
        'must be an id of letters, digits and _ . : @ - (128 at most)',
      )
      .meta({ description: 'Your own id of this match: the same one counts once.' }),
    pool: PoolName,
    playedAt: PlayedMs.optional(),
    teams: z.array(z.array(PlayerId).min(1).max(100)).min(2).max(100),
    ranks: z.array(z.number().int().min(1).max(1_000)).min(2).max(100),
  })
  .superRefine((body, context) => {
    if (body.ranks.length !== body.teams.length) {
      context.addIssue({
        code: 'custom',
        path: ['ranks'],
        message: `there are ${body.teams.length} teams but ${body.ranks.length} ranks`,
      });
    }
    const seen = new Set<string>();
    body.teams.forEach((team, t) =>
      team.forEach((playerId, p) => {
        if (seen.has(playerId)) {
          context.addIssue({
            code: 'custom',
            path: ['teams', t, p],
            message: `${playerId} is in the match twice`,
          });
        }
        seen.add(playerId);
      }),
    );
  })
  .meta({ id: 'ReportResult' });
export type ReportResult = z.infer<typeof ReportResult>;
export const ResultRated = z
  .object({
    matchId: CoordinatorId,
    counted: z.boolean().meta({ description: 'False when this very result had been counted before.' }),
    prediction: z
      .array(z.number())
      .meta({ description: 'Chance of each team to win, said before rating it.' }),
  })
  .meta({ id: 'ResultRated' });
export type ResultRated = z.infer<typeof ResultRated>;
