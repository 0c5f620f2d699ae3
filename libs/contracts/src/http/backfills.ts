import { z } from 'zod';
import { CoordinatorId, EpochMs, PlayerId } from '../ids.js';

export const RequestBackfill = z
  .strictObject({
    team: z.number().int().min(0).max(9).meta({ description: 'Index of the team that is short, from 0.' }),
    seats: z.number().int().min(1).max(50).meta({ description: 'How many players are wanted.' }),
    leavers: z.array(PlayerId).max(50).default([]).meta({
      description:
        'Players of the match who left for good. They are free at once, and penalised by the queue’s rules.',
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
    seatsLeft: z.number().int().meta({ description: 'Seats that nobody has taken.' }),
    state: z.enum(['open', 'filled', 'withdrawn', 'expired']),
    playerIds: z
      .array(PlayerId)
      .meta({ description: 'Who took a seat; the command `add-players` says so, too.' }),
    requestedAt: EpochMs,
    expiresAt: EpochMs,
  })
  .meta({ id: 'Backfill' });
export type BackfillView = z.infer<typeof BackfillView>;

/** What the command `add-players` says. */
export const PlayersAdded = z
  .object({
    backfillId: CoordinatorId,
    ticketId: z.string(),
    team: z.number().int(),
    playerIds: z.array(PlayerId),
    roles: z.record(PlayerId, z.string()).default({}),
  })
  .meta({ id: 'PlayersAdded' });
export type PlayersAdded = z.infer<typeof PlayersAdded>;
