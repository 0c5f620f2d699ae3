import { playerRequestKinds } from '@muster/domain';
import { PlayerId } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';

const Kind = z.enum(playerRequestKinds).meta({
  description:
    '`export`: a copy of everything that is stored of the player. `erasure`: the player is erased.',
});

export const DataRequestParams = z.strictObject({ kind: Kind });

/** A body may be left out; without fields, it says nothing. */
export const DataRequestBody = z.strictObject({}).optional();

/** A player's requests about their own data. */
export const MyData = z
  .object({
    playerId: PlayerId,
    taken: z.array(Kind).meta({ description: 'The requests that the operator takes from players.' }),
    requests: z
      .array(
        z.object({
          kind: Kind,
          state: z.enum(['waiting', 'done']).meta({
            description: 'An export that is done was handed to the operator of the game.',
          }),
          requestedAt: EpochMs,
          doneAt: EpochMs.nullable().meta({ description: 'null: it waits.' }),
        }),
      )
      .meta({ description: 'An erasure that is done is in no list: the id is that of a stranger.' }),
  })
  .meta({ id: 'MyData' });
export type MyData = z.infer<typeof MyData>;
