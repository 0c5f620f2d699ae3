import {
  BuildName,
  CoordinatorId,
  PersonId,
  PlatformName,
  PlayerId,
  RegionName,
  RoleName,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';

/** Measured latencies of one player or ticket. */
export const Latencies = z
  .record(RegionName, z.number().min(0).max(10_000))
  .refine((regions) => Object.keys(regions).length <= 32, 'at most 32 regions');

/** A player's client: every player sends their own. */
export const clientFacts = {
  platform: PlatformName.optional().meta({
    description:
      'Your platform, such as pc, playstation, xbox, switch or mobile. Required by queues with groups of platforms.',
  }),
  crossPlay: z.boolean().optional().meta({
    description: 'false: meet players of your own platform only. Default: all that the queue allows.',
  }),
};

/** The build of a member: see `CreateTicket` for the leader's. */
export const MemberBuild = BuildName.optional().meta({
  description: 'Your client build. It must equal the leader’s when you are queued. Default: the leader’s.',
});

export const PartyParams = z.strictObject({ partyId: CoordinatorId });
export const PartyMemberParams = z.strictObject({ partyId: CoordinatorId, playerId: PlayerId });

export const InviteToParty = z.strictObject({ playerId: PersonId }).meta({ id: 'InviteToParty' });

export const PassParty = z
  .strictObject({ playerId: PersonId.meta({ description: 'The member who leads from now on.' }) })
  .meta({ id: 'PassParty' });

export const JoinParty = z
  .strictObject({
    latencyMs: Latencies.default({}).meta({
      description: 'Your measured latency by region in milliseconds. Default: any region.',
    }),
    canPlay: z.array(RoleName).max(16).optional().meta({ description: 'Roles that you can play.' }),
    build: MemberBuild,
    ...clientFacts,
  })
  .meta({ id: 'JoinParty' });

export const PartyView = z
  .object({
    partyId: CoordinatorId,
    leader: PlayerId,
    members: z
      .array(
        z.object({
          playerId: PlayerId,
          joinedAt: EpochMs,
          build: BuildName.optional().meta({
            description: 'Absent: not given; the leader’s is given when queueing.',
          }),
          platform: PlatformName.optional(),
          crossPlay: z.literal(false).optional().meta({ description: 'Plays with their own platform only.' }),
        }),
      )
      .meta({ description: 'The leader first, then the others in order of joining.' }),
    invitations: z.array(z.object({ playerId: PlayerId, expiresAt: EpochMs })),
  })
  .meta({ id: 'Party' });
export type PartyView = z.infer<typeof PartyView>;

export const PartyLeft = z
  .object({ party: PartyView.nullable().meta({ description: 'The remaining party; null: it has ended.' }) })
  .meta({ id: 'PartyLeft' });

export const InvitationGone = z
  .object({
    party: PartyView.nullable().meta({
      description: 'The party, for its leader; null for the invited player.',
    }),
  })
  .meta({ id: 'InvitationGone' });

export const MyPartyView = z
  .object({
    party: PartyView.nullable(),
    invitations: z
      .array(z.object({ partyId: CoordinatorId, leader: PlayerId, expiresAt: EpochMs }))
      .meta({ description: 'Parties that you may join.' }),
  })
  .meta({ id: 'MyParty' });
export type MyPartyView = z.infer<typeof MyPartyView>;
