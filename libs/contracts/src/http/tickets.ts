import { ticketStates } from '@muster/domain';
import { z } from 'zod';
import {
  BuildName,
  CoordinatorId,
  EpochMs,
  Label,
  PlatformName,
  PlayerId,
  QueueName,
  RegionName,
  RoleName,
  ServerId,
} from '../ids.js';
import { MessageViews } from '../messages/spoken.js';
import { clientFacts, Latencies, MemberBuild } from './parties.js';

const CanPlay = z.array(RoleName).max(16).default([]);

export const CreateTicket = z
  .strictObject({
    queue: QueueName,
    build: BuildName.optional().meta({
      description:
        'Client build; only equal builds meet. Left out: the build of the servers when all that are registered have the same, `dev` when none is; refused when servers of several builds are registered.',
    }),
    ...clientFacts,
    latencyMs: Latencies.default({}).meta({
      description: 'Your measured latency by region in milliseconds; leave out for any region.',
    }),
    partyPasses: z
      .array(z.string().max(2_000))
      .max(49)
      .default([])
      .meta({ description: 'A pass of each other party member (see /v1/party-passes): their consent.' }),
    partyId: CoordinatorId.optional().meta({
      description: 'The party that you lead: all who have joined it are queued. Not beside partyPasses.',
    }),
    canPlay: CanPlay.meta({
      description:
        'Roles of the queue’s rules that you can play; other party members say theirs in their passes, or when they join.',
    }),
    maps: z
      .array(Label)
      .max(200)
      .default([])
      .meta({ description: 'Maps of the queue’s rules that you wish for; leave out for any.' }),
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

/** Why a ticket waits, and how long others like it did. */
const waitingFacts = {
  why: z.string().meta({ description: 'Which rule keeps it waiting and when that gives way, in words.' }),
  whyMessages: MessageViews,
  rule: z
    .enum(['players', 'platforms', 'regions', 'parties', 'avoided', 'skill', 'teams', 'maps', 'none'])
    .meta({ description: 'The rule that binds; `none` when a match is being formed.' }),
  widensInSeconds: z
    .number()
    .nullable()
    .meta({ description: 'When that rule gives way; null when time alone does not help.' }),
  estimate: z
    .object({
      fromSeconds: z.number(),
      toSeconds: z
        .number()
        .nullable()
        .meta({ description: 'null: too many of those like it were not matched at all.' }),
      basedOn: z.number().int(),
    })
    .nullable()
    .meta({
      description:
        'The middle half of what tickets like it had still to wait; null when too few were matched lately to say.',
    }),
};

export const WaitingFacts = z.object(waitingFacts).meta({ id: 'WaitingFacts' });
export type WaitingFacts = z.infer<typeof WaitingFacts>;

export const TicketView = z
  .object({
    ticketId: CoordinatorId,
    queue: QueueName,
    build: BuildName,
    players: z.array(PlayerId),
    canPlay: z
      .record(PlayerId, z.array(RoleName))
      .optional()
      .meta({ description: 'Roles by player, of those who named any.' }),
    maps: z.array(z.string()).optional().meta({ description: 'Maps wished for; absent: any.' }),
    platforms: z
      .record(PlayerId, PlatformName)
      .optional()
      .meta({ description: 'Platforms by player, of those who named one.' }),
    crossPlay: z
      .literal(false)
      .optional()
      .meta({ description: 'Present when one of its players plays with their own platform only.' }),
    state: z.enum(ticketStates),
    seq: z.number().int().meta({ description: 'Number of the latest event; resume from it.' }),
    reason: z.string().meta({ description: 'Why it stands where it stands, in words.' }),
    reasonMessages: MessageViews,
    at: EpochMs.meta({ description: 'When this state was entered.' }),
    enqueuedAt: EpochMs,
    expiresAt: EpochMs,
    matchId: CoordinatorId.optional(),
    matchState: z.enum(['formed', 'placed', 'rated', 'abandoned', 'void']).optional(),
    assignment: AssignmentView.optional(),
    acceptBy: EpochMs.optional().meta({
      description: 'Until when its players are to accept the match; absent when nobody is asked, any more.',
    }),
    accepted: z.array(PlayerId).optional().meta({ description: 'Those of its players who have accepted.' }),
    rulesVersion: z.number().int().optional().meta({
      description:
        'The version of the queue’s rules that it follows while it waits, and by which its match was made after that.',
    }),
    closed: z.boolean().meta({ description: 'True once nothing more can happen to it.' }),
    waiting: WaitingFacts.optional().meta({ description: 'While it waits, as far as this is known yet.' }),
  })
  .meta({ id: 'Ticket' });
export type TicketView = z.infer<typeof TicketView>;

export const TicketParams = z.strictObject({ ticketId: CoordinatorId });

export const WaitForTicket = z.strictObject({
  after: z.coerce.number().int().min(0).optional().meta({ description: 'Answer once `seq` is above this.' }),
  waitSeconds: z.coerce.number().min(0).max(30).default(0),
});

export const CreatePartyPass = z
  .strictObject({
    leader: PlayerId,
    canPlay: CanPlay.meta({
      description: 'Roles that you can play in the queue that you are to be put into.',
    }),
    build: MemberBuild,
    ...clientFacts,
  })
  .meta({ id: 'CreatePartyPass' });
export const PartyPassView = z
  .object({
    pass: z.string(),
    expiresAt: EpochMs,
    reusable: z
      .literal(true)
      .meta({ description: 'The leader may queue with it as often as they like until it expires.' }),
  })
  .meta({ id: 'PartyPass' });

export const WaitingView = z
  .object({
    queue: QueueName,
    waiting: z.array(
      z.object({
        ticketId: CoordinatorId,
        players: z.array(PlayerId),
        build: BuildName,
        platforms: z.array(PlatformName).meta({ description: 'Of its players, each once.' }),
        skill: z.number(),
        waitedMs: z.number(),
        window: z.number().nullable(),
        ...waitingFacts,
      }),
    ),
  })
  .meta({ id: 'Waiting' });
