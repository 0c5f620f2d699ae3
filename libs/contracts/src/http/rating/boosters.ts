import { CoordinatorId, Label, PersonId, PlayerId, PoolName } from '@muster/domain/schemas';
import { z } from 'zod';
import { EventId, Text } from '../operator-words.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs } from '../../times.js';

const MatchesLeft = z.number().int().meta({ description: 'Matches that may still be played with it.' });

/** A booster in use, in a ticket or a match. */
export const BoosterUse = z.object({
  boosterId: z.string(),
  division: z.string(),
  higher: z.boolean().meta({ description: 'Whether the division is above the player’s own.' }),
});

export const BoosterParams = z.strictObject({ pool: PoolName, boosterId: CoordinatorId });

export const GrantBooster = z
  .strictObject({
    playerId: PersonId,
    division: Label.meta({ description: 'The division in which the player will play.' }),
    matches: z.number().int().min(1).max(1_000).optional().meta({
      description: 'At most, and by default, those of the pool’s rules.',
    }),
    reason: Text,
    eventId: EventId.optional().meta({ description: 'Repeat with the same id to be safe.' }),
  })
  .meta({ id: 'GrantBooster' });
export type GrantBooster = z.infer<typeof GrantBooster>;

export const BoosterView = z
  .object({
    boosterId: CoordinatorId,
    pool: PoolName,
    playerId: PlayerId,
    division: z.string(),
    matches: z.number().int(),
    used: z.number().int().meta({ description: 'Rated matches with it, without void ones.' }),
    matchesLeft: MatchesLeft,
    kFactor: z.number().meta({ description: 'How many times as far a result moves the rating.' }),
    by: z.string(),
    reason: z.string(),
    grantedAt: EpochMs,
    revokedAt: EpochMs.nullable(),
    revoked: z.object({ by: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: 'Booster' });
export type BoosterView = z.infer<typeof BoosterView>;

export const BoostersOfPlayer = z.strictObject({
  playerId: PlayerId,
  limit: wholeInUrl(1, 1_000).default(100),
});
export const BoosterList = z.object({ boosters: z.array(BoosterView) }).meta({ id: 'BoosterList' });

export const RevokeBooster = z.strictObject({ reason: Text.default('Revoked by an operator.') });

export const MyBoosters = z.strictObject({ pool: PoolName.default('default') });
export const MyBoostersView = z
  .object({
    pool: PoolName,
    boosters: z
      .array(
        z.object({
          boosterId: CoordinatorId,
          division: z.string(),
          matches: z.number().int(),
          matchesLeft: MatchesLeft,
          grantedAt: EpochMs,
        }),
      )
      .meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'MyBoosters' });
export type MyBoostersView = z.infer<typeof MyBoostersView>;
