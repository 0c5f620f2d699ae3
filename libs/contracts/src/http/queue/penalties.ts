import { penaltyKinds } from '@muster/domain';
import { CoordinatorId, PlayerId, QueueName, RegionName } from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews } from '../../messages/message-views.js';
import { BanView } from './bans.js';
import { Text } from '../operator-words.js';
import { EpochMs, inOrder, isRange } from '../../times.js';

export const PenalisedParams = z.strictObject({ playerId: PlayerId });
export const PenaltyParams = z.strictObject({ playerId: PlayerId, penaltyId: CoordinatorId });

export const ForgivePenalties = z
  .strictObject({
    from: EpochMs.meta({ description: 'Penalties of this time or later.' }),
    to: EpochMs.meta({ description: 'Penalties before this time.' }),
    queue: QueueName.optional(),
    region: RegionName.optional().meta({
      description: 'Only of matches in this region; a declined match has none.',
    }),
    reason: Text.meta({ description: 'Players read it.' }),
  })
  .refine(isRange, inOrder)
  .meta({ id: 'ForgivePenalties' });
export const PenaltiesForgiven = z
  .object({ forgiven: z.number().int().meta({ description: 'Penalties that counted until now.' }) })
  .meta({ id: 'PenaltiesForgiven' });

export const PenaltyList = z
  .object({
    playerId: PlayerId,
    mayQueueAt: EpochMs.nullable().meta({ description: 'End of the cool-down; null: no cool-down.' }),
    reason: z.string().nullable().meta({ description: 'Why, as text.' }),
    reasonMessages: MessageViews,
    ban: BanView.nullable().optional().meta({
      description: 'The ban that keeps the player from every queue; null: none is in force.',
    }),
    penalties: z
      .array(
        z.object({
          penaltyId: CoordinatorId,
          kind: z.enum(penaltyKinds).meta({
            description:
              '`declined`: declined a match or did not answer. `no-show`: never connected. `left`: left it for good.',
          }),
          queue: QueueName,
          matchId: CoordinatorId.meta({ description: 'The match; a declined match was never formed.' }),
          at: EpochMs,
          forgivenAt: EpochMs.nullable().meta({ description: 'Time at which an operator forgave it.' }),
          liftedAt: EpochMs.nullable().optional().meta({
            description:
              'Time from which it does not count, because what it rests on is gone or an outage is to blame; an operator may impose it.',
          }),
          liftedReason: z.string().optional().meta({ description: 'Why it is lifted, as text.' }),
          liftedReasonMessages: MessageViews,
        }),
      )
      .meta({ description: 'Newest first, at most 100.' }),
  })
  .meta({ id: 'Penalties' });
export type PenaltyList = z.infer<typeof PenaltyList>;
