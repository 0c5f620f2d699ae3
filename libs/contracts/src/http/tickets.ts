import { ticketStates } from '@muster/domain';
import { z } from 'zod';
import { BuildName, CoordinatorId, EpochMs, PlayerId, QueueName, RegionName, ServerId } from '../ids.js';

export const CreateTicket = z
  .strictObject({
    queue: QueueName,
    build: BuildName.default('dev').meta({ description: 'Client build; only equal builds meet.' }),
    latencyMs: z
      .record(RegionName, z.number().min(0).max(10_000))
      .refine((regions) => Object.keys(regions).length <= 32, 'at most 32 regions')
      .default({})
      .meta({ description: 'Measured latency by region in milliseconds; leave out for any region.' }),
    partyPasses: z
      .array(z.string().max(2_000))
      .max(49)
      .default([])
      .meta({ description: 'A pass of each other party member (see /v1/party-passes): their consent.' }),
  })
  .meta({ id: 'CreateTicket' });
export type CreateTicket = z.infer<typeof CreateTicket>;

export const AssignmentView = z
  .object({
    matchId: CoordinatorId,
    sessionId: CoordinatorId,
    serverId: ServerId,
    region: RegionName,
    host: z.string(),
    port: z.number().int(),
    team: z.number().int().meta({ description: 'Index of your team, from 0.' }),
    joinToken: z.string().meta({
      description: 'Signed for you and this session; the server checks it offline. Valid some minutes.',
    }),
  })
  .meta({ id: 'Assignment' });
export type AssignmentView = z.infer<typeof AssignmentView>;

export const TicketView = z
  .object({
    ticketId: CoordinatorId,
    queue: QueueName,
    build: BuildName,
    players: z.array(PlayerId),
    state: z.enum(ticketStates),
    seq: z.number().int().meta({ description: 'Number of the latest event; resume from it.' }),
    reason: z.string().meta({ description: 'Why it stands where it stands, in words.' }),
    at: EpochMs.meta({ description: 'When this state was entered.' }),
    enqueuedAt: EpochMs,
    expiresAt: EpochMs,
    matchId: CoordinatorId.optional(),
    matchState: z.enum(['formed', 'placed', 'rated', 'abandoned', 'void']).optional(),
    assignment: AssignmentView.optional(),
    closed: z.boolean().meta({ description: 'True once nothing more can happen to it.' }),
  })
  .meta({ id: 'Ticket' });
export type TicketView = z.infer<typeof TicketView>;

export const TicketParams = z.strictObject({ ticketId: CoordinatorId });

export const WaitForTicket = z.strictObject({
  after: z.coerce.number().int().min(0).optional().meta({ description: 'Answer once `seq` is above this.' }),
  waitSeconds: z.coerce.number().min(0).max(30).default(0),
});

export const CreatePartyPass = z.strictObject({ leader: PlayerId }).meta({ id: 'CreatePartyPass' });
export const PartyPassView = z.object({ pass: z.string(), expiresAt: EpochMs }).meta({ id: 'PartyPass' });

export const CurvePointSchema = z.strictObject({
  afterSeconds: z.number().min(0).max(86_400),
  limit: z.number().positive().max(1e9).nullable(),
});

const Curve = z
  .array(CurvePointSchema)
  .min(1)
  .max(20)
  .superRefine((points, context) => {
    points.forEach((point, i) => {
      const before = points[i - 1];
      if (i === 0 && point.afterSeconds !== 0) {
        context.addIssue({
          code: 'custom',
          path: [0, 'afterSeconds'],
          message: 'the first corner must be at 0 seconds',
        });
      }
      if (before && point.afterSeconds <= before.afterSeconds) {
        context.addIssue({ code: 'custom', path: [i, 'afterSeconds'], message: 'corners must rise in time' });
      }
      if (before && (before.limit === null || (point.limit !== null && point.limit < before.limit))) {
        context.addIssue({
          code: 'custom',
          path: [i, 'limit'],
          message: 'a limit may not narrow with waiting',
        });
      }
    });
  });

/** The rules of a queue, checked for sense as well as shape. */
export const QueueRulesSchema = z
  .strictObject({
    name: QueueName,
    mode: z.string().min(1).max(64),
    pool: QueueName,
    teams: z.number().int().min(2).max(10),
    teamSize: z.number().int().min(1).max(50),
    maxPartySize: z.number().int().min(1).max(50),
    skillWindow: Curve,
    teamGap: Curve,
    latencyLimitMs: Curve,
    ticketTtlSeconds: z.number().min(1).max(86_400),
    placementTimeoutSeconds: z.number().min(1).max(86_400),
    calibrationMatches: z.number().int().min(0).max(50).default(0).meta({
      description:
        'How many matches a newcomer to the pool plays at a level that is searched for, before the result becomes the rating; 0 is none.',
    }),
  })
  .refine((rules) => rules.maxPartySize <= rules.teamSize, {
    path: ['maxPartySize'],
    message: 'a party must fit into a team (at most teamSize)',
  })
  .meta({ id: 'QueueRules' });

export const QueueList = z.object({ queues: z.array(QueueRulesSchema) }).meta({ id: 'QueueList' });
export const QueueParams = z.strictObject({ queue: QueueName });
export const WaitingView = z
  .object({
    queue: QueueName,
    waiting: z.array(
      z.object({
        ticketId: CoordinatorId,
        players: z.array(PlayerId),
        skill: z.number(),
        waitedMs: z.number(),
        window: z.number().nullable(),
        why: z.string().meta({ description: 'Why it still waits, in words.' }),
      }),
    ),
  })
  .meta({ id: 'Waiting' });
