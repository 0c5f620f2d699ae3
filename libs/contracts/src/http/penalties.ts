import { penaltyKinds } from '@muster/domain';
import { z } from 'zod';
import { CoordinatorId, EpochMs, PlayerId, QueueName } from '../ids.js';
import { MessageViews } from '../messages/spoken.js';

export const PenalisedParams = z.strictObject({ playerId: PlayerId });
export const PenaltyParams = z.strictObject({ playerId: PlayerId, penaltyId: CoordinatorId });

export const PenaltyList = z
  .object({
    playerId: PlayerId,
    mayQueueAt: EpochMs.nullable().meta({ description: 'When the cool-down is over; null: no cool-down.' }),
    reason: z.string().nullable().meta({ description: 'Why, in words.' }),
    reasonMessages: MessageViews,
    penalties: z
      .array(
        z.object({
          penaltyId: CoordinatorId,
          kind: z.enum(penaltyKinds).meta({
            description:
              '`declined`: declined a match or did not answer. `no-show`: never connected. `left`: left it for good.',
          }),
          queue: QueueName,
          matchId: CoordinatorId.meta({ description: 'The match; one that was declined was never made.' }),
          at: EpochMs,
          forgivenAt: EpochMs.nullable().meta({ description: 'When an operator took it back.' }),
        }),
      )
      .meta({ description: 'The newest first, 100 at most.' }),
  })
  .meta({ id: 'Penalties' });
export type PenaltyList = z.infer<typeof PenaltyList>;
