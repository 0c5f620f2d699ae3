import { PersonId, PlayerId } from '@muster/domain/schemas';
import { z } from 'zod';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs } from '../../times.js';
import { Text } from '../operator-words.js';

export const BanParams = z.strictObject({ playerId: PersonId });

const said = {
  reason: Text.meta({ description: 'The player reads it.' }),
  until: EpochMs.meta({ description: 'When the player may queue again.' }),
};
export const BanPlayer = z.strictObject(said).meta({ id: 'BanPlayer' });

export const BanView = z
  .object({
    ...said,
    since: EpochMs,
    by: z.string().meta({ description: 'The operator; players read `operator`.' }),
  })
  .meta({ id: 'Ban' });
export const BanOfPlayer = z
  .object({ playerId: PlayerId, ban: BanView.nullable().meta({ description: 'null: none is in force.' }) })
  .meta({ id: 'BanOfPlayer' });
export type BanOfPlayer = z.infer<typeof BanOfPlayer>;

export const PageOfBans = z.strictObject({
  cursor: PlayerId.optional().meta({ description: 'The `next` of the previous page.' }),
  limit: wholeInUrl(1, 500).default(100),
});
export const BanPage = z
  .object({
    bans: z.array(BanOfPlayer).meta({ description: 'In force, in the order of players.' }),
    next: z.string().nullable(),
  })
  .meta({ id: 'BanPage' });
export type BanPage = z.infer<typeof BanPage>;
