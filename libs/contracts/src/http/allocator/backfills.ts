import { backfillStates } from '@muster/domain';
import { CoordinatorId, PlayerId } from '@muster/domain/schemas';
import { z } from 'zod';
import { Attributes } from '../queue/attributes.js';
import { EpochMs } from '../../times.js';

export const RequestBackfill = z
  .strictObject({
    team: z.number().int().min(0).max(9).meta({ description: 'Index of the team with free seats, from 0.' }),
    seats: z.number().int().min(1).max(50).meta({ description: 'Number of requested players.' }),
    leavers: z.array(PlayerId).max(50).default([]).meta({
      description:
        'Players of the match who left for good. They are released at once, and penalised by the queue’s rules.',
    }),
  })
  .refine(({ leavers }) => new Set(leavers).size === leavers.length, {
    message: 'name each leaver once',
  })
  .meta({ id: 'RequestBackfill' });
export type RequestBackfill = z.infer<typeof RequestBackfill>;

export const BackfillParams = z.strictObject({ sessionId: CoordinatorId, backfillId: CoordinatorId });

export const BackfillView = z
  .object({
    backfillId: CoordinatorId,
    sessionId: CoordinatorId,
    matchId: CoordinatorId,
    team: z.number().int(),
    seats: z.number().int(),
    seatsLeft: z.number().int().meta({ description: 'Free seats.' }),
    state: z.enum(backfillStates),
    playerIds: z
      .array(PlayerId)
      .meta({ description: 'Players who took a seat, as in the command `add-players`.' }),
    requestedAt: EpochMs,
    expiresAt: EpochMs,
  })
  .meta({ id: 'Backfill' });
export type BackfillView = z.infer<typeof BackfillView>;

/** What the rules of the queue let a server know about the players whom a command names; see `sessionTells`. */
export const sessionPlayerFacts = {
  parties: z
    .array(z.array(PlayerId))
    .optional()
    .meta({ description: 'The players of each party of two or more; absent: the rules do not tell.' }),
  names: z.record(PlayerId, z.string()).optional().meta({
    description: 'Display names of the players who have one; absent: the rules do not tell.',
  }),
  ratings: z
    .record(PlayerId, z.object({ mu: z.number(), sigma: z.number() }))
    .optional()
    .meta({
      description: 'The level by which the teams were made, by player; absent: the rules do not tell.',
    }),
};

/** The documents of tickets; see `CreateTicket`. */
export const ticketAttributes = {
  attributes: z
    .array(z.object({ playerIds: z.array(PlayerId), attributes: Attributes }))
    .optional()
    .meta({ description: 'The document of each ticket that has one, with the players of the ticket.' }),
};

/** The content of the command `add-players`. */
export const PlayersAdded = z
  .object({
    backfillId: CoordinatorId,
    ticketId: z.string(),
    team: z.number().int(),
    playerIds: z.array(PlayerId),
    roles: z.record(PlayerId, z.string()).default({}),
    ...sessionPlayerFacts,
    ...ticketAttributes,
  })
  .meta({ id: 'PlayersAdded' });
export type PlayersAdded = z.infer<typeof PlayersAdded>;
