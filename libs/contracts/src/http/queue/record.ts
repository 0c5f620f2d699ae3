import { waitOutcomes } from '@muster/domain';
import { PlatformName, PlayerId, QueueName, RoleName } from '@muster/domain/schemas';
import { z } from 'zod';
import { numberInUrl } from '../../query-numbers.js';
import { QueueInForce } from './queue-rules.js';
import { BoosterUse } from '../rating/boosters.js';
import { EpochMs } from '../../times.js';

export const ReadRecord = z.strictObject({
  hours: numberInUrl(z.number().positive().max(1)).default(1).meta({
    description: 'Hours of history, at most 1: tickets are deleted an hour after their end.',
  }),
});

/** The first line of a record. */
export const RecordHead = z.object({
  queue: QueueName,
  from: EpochMs.meta({ description: 'The record contains tickets that waited at any time since.' }),
  until: EpochMs.meta({ description: 'Time of the record.' }),
  rules: QueueInForce.meta({ description: 'The rules in force at that time.' }),
});
export type RecordHead = z.infer<typeof RecordHead>;

/** Every other line: a ticket as the matcher saw it, and how it waited. */
export const RecordLine = z.object({
  ticketId: z.string(),
  build: z.string(),
  players: z
    .array(
      z.object({
        playerId: PlayerId,
        mu: z.number().min(-1e12).max(1e12),
        sigma: z.number().min(0).max(1e12),
        canPlay: z.array(RoleName).optional(),
        platform: PlatformName.optional(),
        calibration: z.object({ match: z.number().int(), of: z.number().int() }).optional(),
        booster: BoosterUse.optional(),
      }),
    )
    .min(1),
  latencyMs: z.record(z.string(), z.number()),
  maps: z.array(z.string()).optional(),
  avoid: z.array(z.object({ playerId: PlayerId, scope: z.enum(['team', 'match']) })).optional(),
  behaviour: z.number().optional(),
  crossPlay: z.literal(false).optional(),
  partyId: z.string().optional(),
  rulesVersion: z.number().int().optional(),
  enqueuedAt: EpochMs,
  expiresAt: EpochMs,
  outcome: z.enum(waitOutcomes),
  leftAt: EpochMs.nullable(),
  matchId: z.string().optional(),
});
export type RecordLine = z.infer<typeof RecordLine>;
