import { PlayerId } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';

const scope = z.enum(['match', 'team']).meta({
  description: '`match`: not in the same match. `team`: not on the same team.',
});

export const AvoidedParams = z.strictObject({ playerId: PlayerId });
export const AvoidPlayer = z.strictObject({ scope }).meta({ id: 'AvoidPlayer' });

export const AvoidList = z
  .object({
    avoided: z
      .array(z.object({ playerId: PlayerId, scope, since: EpochMs }))
      .meta({ description: 'Newest first.' }),
    limit: z.number().int().meta({ description: 'The maximum number of entries.' }),
  })
  .meta({ id: 'AvoidList' });
export type AvoidList = z.infer<typeof AvoidList>;
