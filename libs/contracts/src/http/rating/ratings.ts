import { PlayerId, PoolName } from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews } from '../../messages/message-views.js';
import { EventId, Text } from '../operator-words.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs, Moment, PlayedMs, inOrder, isRange } from '../../times.js';

/** A step that a player sees instead of a number. */
export const DivisionView = z.object({
  name: z.string(),
  step: z.number().int().meta({ description: 'From 1, the lowest.' }),
  of: z.number().int(),
});
const InactiveFrom = EpochMs.nullable().optional().meta({
  description:
    'When time without a match begins to change the rating, by the pool’s inactivity rules; null: never.',
});
const SeasonMatches = z
  .number()
  .int()
  .optional()
  .meta({ description: 'Rated matches in the season that runs; absent before the first.' });
/** A player's skill under one aspect. */
export const AspectSkillView = z.object({
  name: z.string().meta({ description: 'The aspect and its value, such as `side:alien`.' }),
  mean: z.number().meta({ description: 'Difference from the common skill, in log-odds of a duel.' }),
  sd: z.number().meta({ description: 'Its standard deviation.' }),
  matches: z.number().int(),
});
export const RatingView = z
  .object({
    pool: PoolName,
    playerId: PlayerId,
    name: z.string().nullable().optional().meta({
      description: 'The last display name; null: none is known.',
    }),
    mu: z.number(),
    sigma: z.number(),
    display: z.number().meta({ description: 'One conservative number, by the pool’s model.' }),
    matches: z.number().int(),
    seasonMatches: SeasonMatches,
    division: DivisionView,
    shadow: z.object({
      hidden: z.boolean().meta({ description: 'Whether the division is still hidden from the player.' }),
      matchesLeft: z.number().int(),
    }),
    stale: z.boolean().meta({ description: 'No match for longer than the pool’s staleAfterDays.' }),
    lastRatedAt: EpochMs.nullable(),
    inactiveFrom: InactiveFrom,
    aspects: z.array(AspectSkillView).optional().meta({
      description: 'Skill by side, map, venue or role, sorted by name; absent: the pool rates none.',
    }),
  })
  .meta({ id: 'Rating' });
export type RatingView = z.infer<typeof RatingView>;
/** The part of a rating that a player sees: never a number of skill. */
export const MyRatingView = z
  .object({
    pool: PoolName,
    playerId: PlayerId,
    matches: z.number().int(),
    seasonMatches: SeasonMatches,
    division: DivisionView.nullable().meta({ description: 'null while the rating is hidden.' }),
    matchesUntilShown: z.number().int(),
    stale: z.boolean(),
    inactiveFrom: InactiveFrom,
  })
  .meta({ id: 'MyRating' });
export type MyRatingView = z.infer<typeof MyRatingView>;
const OwnDivision = DivisionView.nullable().meta({
  description: 'By the pool’s present divisions; null while the rating was hidden.',
});
/** A player's own history: divisions, never a number of skill. */
export const MyRatingHistory = z
  .object({
    pool: PoolName,
    playerId: PlayerId,
    changes: z
      .array(
        z.object({
          at: PlayedMs,
          kind: z.enum(['match', 'void', 'set', 'reset', 'season', 'decay', 'seed']).meta({
            description:
              '`decay`: by time without a match. `set`, `seed`, `reset`: by an operator or the pool.',
          }),
          matchId: z.string().nullable().meta({ description: 'null: no match made the change.' }),
          before: OwnDivision,
          after: OwnDivision,
        }),
      )
      .meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'MyRatingHistory' });
export type MyRatingHistory = z.infer<typeof MyRatingHistory>;
export const RatingParams = z.strictObject({ pool: PoolName, playerId: PlayerId });
export const PageOfRatings = z.strictObject({
  limit: wholeInUrl(1, 10_000).default(100),
  after: PlayerId.optional().meta({ description: 'Players after this id, sorted by id.' }),
});
export const RatingList = z.object({ ratings: z.array(RatingView) }).meta({ id: 'RatingList' });
export const MyRating = z.strictObject({ pool: PoolName.default('default') });

export const SetRating = z
  .strictObject({
    mu: z.number().meta({
      description:
        'The new mean, in the units of the pool’s model: at most a hundred initial uncertainties from the start value.',
    }),
    sigma: z.number().positive().optional().meta({ description: 'The uncertainty; unchanged by default.' }),
    reason: Text,
    eventId: EventId.optional().meta({ description: 'Repeat with the same id to be safe.' }),
  })
  .meta({ id: 'SetRating' });
export type SetRating = z.infer<typeof SetRating>;
export const ResetRating = z.strictObject({
  reason: Text.default('Reset by an operator.'),
  eventId: EventId.optional(),
});
export const RatingHistory = z
  .object({
    name: z.string().nullable().optional().meta({
      description: 'The last display name; null: none is known.',
    }),
    changes: z.array(
      z.object({
        sequence: z.number().int(),
        kind: z.enum(['match', 'void', 'rebuild', 'set', 'reset', 'season', 'decay', 'seed', 'signal']).meta({
          description:
            '`void`: a match that counts no longer, with the change that it takes back. `rebuild`: the history was rated again; from the last rating before it to that after it.',
        }),
        eventId: z.string(),
        at: PlayedMs,
        by: z.string().nullable(),
        reason: z.string().nullable(),
        reasonMessages: MessageViews,
        version: z.number().int().meta({ description: 'The version of the pool’s rules at that time.' }),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  })
  .meta({ id: 'RatingHistory' });
export type RatingHistory = z.infer<typeof RatingHistory>;
export const PageOfHistory = z
  .strictObject({
    limit: wholeInUrl(1, 1_000).default(100),
    from: Moment.optional().meta({
      description: 'Only changes at this time or later; for matches, when they ended.',
    }),
    to: Moment.optional().meta({ description: 'Only changes before this time.' }),
  })
  .refine(isRange, inOrder);
export const PageOfMyHistory = z
  .strictObject({
    pool: PoolName.default('default'),
    limit: wholeInUrl(1, 100).default(20),
    from: Moment.optional().meta({
      description: 'Only changes at this time or later; for matches, when they ended.',
    }),
    to: Moment.optional().meta({ description: 'Only changes before this time.' }),
  })
  .refine(isRange, inOrder);
