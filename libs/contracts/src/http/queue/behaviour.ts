import { commendations, complaints } from '@muster/domain';
import { CoordinatorId, PlayerId } from '@muster/domain/schemas';
import { z } from 'zod';
import { Text } from '../operator-words.js';
import { EpochMs } from '../../times.js';

const kind = z.enum([...complaints, ...commendations]);

export const ReportBehaviour = z
  .strictObject({
    playerId: PlayerId.meta({ description: 'A team-mate of that match; for `cheating` also an opponent.' }),
    kind: kind.meta({
      description: `Against them: ${complaints.join(', ')}; for them: ${commendations.join(', ')}.`,
    }),
    note: Text.optional().meta({ description: 'A text for operators.' }),
  })
  .meta({ id: 'ReportBehaviour' });

export const BehaviourReported = z
  .object({ counted: z.boolean().meta({ description: 'False when the same report was made before.' }) })
  .meta({ id: 'BehaviourReported' });

export const BehaviourParams = z.strictObject({ playerId: PlayerId });

export const BehaviourView = z
  .object({
    playerId: PlayerId,
    score: z.number().meta({ description: '1 is spotless; near 0 means reports by many trusted players.' }),
    word: z.enum(['good', 'mixed', 'poor']).meta({ description: 'The word that the player sees.' }),
    reports: z
      .array(
        z.object({
          matchId: CoordinatorId,
          reporter: PlayerId,
          kind,
          note: z.string().nullable(),
          at: EpochMs,
          weight: z.number().meta({ description: 'Weight by the reporter’s standing at that time, 0 to 1.' }),
          counts: z.number().meta({ description: 'The remaining weight today.' }),
        }),
      )
      .meta({ description: 'Newest first, at most 200.' }),
  })
  .meta({ id: 'Behaviour' });
export type BehaviourView = z.infer<typeof BehaviourView>;

export const MyBehaviourView = z
  .object({ word: z.enum(['good', 'mixed', 'poor']) })
  .meta({ id: 'MyBehaviour' });
