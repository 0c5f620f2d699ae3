import { ticketStates } from '@muster/domain';
import {
  BuildName,
  CoordinatorId,
  Label,
  numberFrom,
  PersonId,
  PlatformName,
  PlayerId,
  QueueName,
  RegionName,
  RoleName,
  ServerId,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { Attributes } from './attributes.js';
import { Text } from '../operator-words.js';
import { MessageViews } from '../../messages/message-views.js';
import { PauseView } from './pauses.js';
import { clientFacts, Latencies, MemberBuild } from './parties.js';
import { numberInUrl, wholeInUrl } from '../../query-numbers.js';
import { EpochMs } from '../../times.js';

const CanPlay = z.array(RoleName).max(16).default([]);

export const CreateTicket = z
  .strictObject({
    queue: QueueName,
    build: BuildName.optional().meta({
      description:
        'Client build; only equal builds meet. Default: the build of all registered servers, or `dev` without servers; required when servers of several builds are registered.',
    }),
    ...clientFacts,
    latencyMs: Latencies.default({}).meta({
      description: 'Your measured latency by region in milliseconds. Default: any region.',
    }),
    partyPasses: z
      .array(z.string().max(2_000))
      .max(49)
      .default([])
      .meta({ description: 'A pass of each other party member (see /v1/party-passes): their consent.' }),
    partyId: CoordinatorId.optional().meta({
      description: 'The party that you lead: all its members are queued. Not together with partyPasses.',
    }),
    canPlay: CanPlay.meta({
      description:
        'Roles of the queue’s rules that you can play; other members give theirs in their passes, or when they join.',
    }),
    maps: z
      .array(Label)
      .max(200)
      .default([])
      .meta({ description: 'Preferred maps of the queue’s rules. Default: any.' }),
    booster: z.boolean().optional().meta({
      description:
        'Use your booster: the match is among players of its division. For a player who queues alone.',
    }),
    attributes: Attributes.optional().meta({
      description:
        'A small document for the server of the match: at most 1,024 bytes as JSON, in four levels. Muster does not read it.',
    }),
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
      description:
        'Signed for you and this session; the server verifies it offline. Valid for some minutes. Empty once the ticket is closed, and for operators.',
    }),
  })
  .meta({ id: 'Assignment' });
export type AssignmentView = z.infer<typeof AssignmentView>;

/** Why a ticket waits, and how long similar ones waited. */
const waitingFacts = {
  why: z.string().meta({ description: 'The rule that binds and when it relaxes, as text.' }),
  whyMessages: MessageViews,
  rule: z
    .enum(['players', 'platforms', 'regions', 'parties', 'avoided', 'skill', 'teams', 'maps', 'none'])
    .meta({ description: 'The rule that binds; `none` when a match is being formed.' }),
  widensInSeconds: z
    .number()
    .nullable()
    .meta({ description: 'Seconds until that rule relaxes; null when time alone does not help.' }),
  estimate: z
    .object({
      fromSeconds: z.number(),
      toSeconds: z
        .number()
        .nullable()
        .meta({ description: 'null: too many similar tickets were not matched.' }),
      basedOn: z.number().int(),
    })
    .nullable()
    .meta({
      description:
        'The middle half of the remaining waits of similar tickets; null when too few were matched recently.',
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
      .meta({ description: 'Roles by player, for players who named any.' }),
    maps: z.array(z.string()).optional().meta({ description: 'Maps wished for; absent: any.' }),
    platforms: z
      .record(PlayerId, PlatformName)
      .optional()
      .meta({ description: 'Platforms by player, for players who named one.' }),
    crossPlay: z
      .literal(false)
      .optional()
      .meta({ description: 'Present when a player of the ticket refuses cross-play.' }),
    booster: z
      .object({ division: z.string(), higher: z.boolean() })
      .optional()
      .meta({ description: 'The division of the booster in use; `higher`: it is above the player’s own.' }),
    attributes: Attributes.optional().meta({ description: 'The document for the server; absent: none.' }),
    state: z.enum(ticketStates),
    seq: z.number().int().meta({ description: 'Number of the latest event; resume from it.' }),
    reason: z.string().meta({ description: 'The reason of the state, as text.' }),
    reasonMessages: MessageViews,
    at: EpochMs.meta({ description: 'Time at which the state began.' }),
    enqueuedAt: EpochMs,
    expiresAt: EpochMs,
    matchId: CoordinatorId.optional(),
    matchState: z.enum(['formed', 'placed', 'rated', 'abandoned', 'void']).optional().meta({
      description: 'The state of the match at the time of the latest event; `placed`: it went on.',
    }),
    assignment: AssignmentView.optional(),
    acceptBy: EpochMs.optional().meta({
      description: 'Time until which the players must accept the match; absent without an open ready check.',
    }),
    accepted: z.array(PlayerId).optional().meta({ description: 'Players of the ticket who have accepted.' }),
    rulesVersion: z.number().int().optional().meta({
      description: 'The version of the queue’s rules under which the ticket waits, or its match was made.',
    }),
    closed: z.boolean().meta({ description: 'True once nothing more can happen to it.' }),
    paused: PauseView.optional().meta({
      description: 'While it waits in a queue that is paused: no match is formed. Absent: it is not paused.',
    }),
    waiting: WaitingFacts.optional().meta({ description: 'While it waits, as far as this is known yet.' }),
  })
  .meta({ id: 'Ticket' });
export type TicketView = z.infer<typeof TicketView>;

export const CancelTicketAs = z
  .strictObject({ reason: Text.meta({ description: 'Its players read it.' }) })
  .meta({ id: 'CancelTicketAs' });

export const TicketParams = z.strictObject({ ticketId: CoordinatorId });

export const WaitForTicket = z.strictObject({
  after: wholeInUrl(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'Answer once `seq` is above this.' }),
  waitSeconds: numberInUrl(numberFrom(0, 30)).default(0),
});

export const CreatePartyPass = z
  .strictObject({
    leader: PersonId,
    canPlay: CanPlay.meta({
      description: 'Roles that you can play in the queue.',
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
      .meta({ description: 'The leader may queue with it any number of times until it expires.' }),
  })
  .meta({ id: 'PartyPass' });

export const PageOfWaiting = z.strictObject({
  limit: wholeInUrl(1, 1_000).default(200),
  cursor: z
    .string()
    .regex(/^\d{1,19}$/, 'must be the `next` of the previous page')
    .optional()
    .meta({ description: 'The `next` of the previous page.' }),
});
export const WaitingView = z
  .object({
    queue: QueueName,
    total: z.number().int().meta({ description: 'How many tickets wait in the queue.' }),
    next: z.string().nullable().meta({
      description:
        'The cursor of the next page; null: no more follow. A page may have a few more than `limit`.',
    }),
    waiting: z
      .array(
        z.object({
          ticketId: CoordinatorId,
          players: z.array(PlayerId),
          build: BuildName,
          platforms: z.array(PlatformName).meta({ description: 'Of its players, without duplicates.' }),
          skill: z.number(),
          waitedMs: z.number(),
          window: z.number().nullable(),
          ...waitingFacts,
        }),
      )
      .meta({ description: 'The longest waiting first, as long as all may wait equally long.' }),
  })
  .meta({ id: 'Waiting' });

/** Tickets that an operator looks for. */
export const PageOfTickets = z.strictObject({
  queue: QueueName.optional(),
  state: z.enum(ticketStates).optional().meta({
    description: 'Default: every ticket that is not closed. Closed tickets are known for an hour.',
  }),
  playerId: PlayerId.optional().meta({ description: 'Only the ticket that holds this player.' }),
  olderThanSeconds: wholeInUrl(0, 31_536_000)
    .optional()
    .meta({ description: 'Only tickets that were enqueued at least so long ago.' }),
  limit: wholeInUrl(1, 200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,19}(~[\w-]{1,64})?$/, 'must be the `next` of the previous page')
    .optional()
    .meta({ description: 'The `next` of the previous page.' }),
});
export const TicketPage = z
  .object({
    tickets: z.array(TicketView).meta({
      description:
        'Waiting tickets of one queue, the longest waiting first; others unordered, and then one may be in two pages.',
    }),
    next: z.string().nullable().meta({
      description:
        'The cursor of the next page; null: no more follow. A page may have fewer tickets than `limit`.',
    }),
  })
  .meta({ id: 'TicketPage' });
export type TicketPage = z.infer<typeof TicketPage>;
