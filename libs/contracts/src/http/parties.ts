import { z } from 'zod';
import { BuildName, CoordinatorId, EpochMs, PlatformName, PlayerId, RegionName, RoleName } from '../ids.js';

/** Measured latencies of one player or ticket. */
export const Latencies = z
  .record(RegionName, z.number().min(0).max(10_000))
  .refine((regions) => Object.keys(regions).length <= 32, 'at most 32 regions');

/** What a player's client is: every player says it of their own. */
export const clientFacts = {
  platform: PlatformName.optional().meta({
    description:
      'What you play on, such as pc, playstation, xbox, switch or mobile. Queues that keep platforms apart demand it.',
  }),
  crossPlay: z.boolean().optional().meta({
    description:
      'false: you meet players of your own platform only. Left out or true: all whom the queue allows.',
  }),
};

/** The build of a member: see `CreateTicket` for the leader's. */
export const MemberBuild = BuildName.optional().meta({
  description:
    'Your client build. It must be the leader’s when you are queued; left out, the leader’s counts.',
});

export const PartyParams = z.strictObject({ partyId: CoordinatorId });
export const PartyMemberParams = z.strictObject({ partyId: CoordinatorId, playerId: PlayerId });

export const InviteToParty = z.strictObject({ playerId: PlayerId }).meta({ id: 'InviteToParty' });

export const JoinParty = z
  .strictObject({
    latencyMs: Latencies.default({}).meta({
      description: 'Your measured latency by region in milliseconds; leave out for any region.',
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
            description: 'Absent: not said; the leader says theirs when queueing.',
          }),
          platform: PlatformName.optional(),
          crossPlay: z.literal(false).optional().meta({ description: 'Plays with their own platform only.' }),
        }),
      )
      .meta({ description: 'The leader first, the others in the order in which they joined.' }),
    invitations: z.array(z.object({ playerId: PlayerId, expiresAt: EpochMs })),
  })
  .meta({ id: 'Party' });
export type PartyView = z.infer<typeof PartyView>;

export const PartyLeft = z
  .object({ party: PartyView.nullable().meta({ description: 'What is left of it; null: it has ended.' }) })
  .meta({ id: 'PartyLeft' });

export const MyPartyView = z
  .object({
    party: PartyView.nullable(),
    invitations: z
      .array(z.object({ partyId: CoordinatorId, leader: PlayerId, expiresAt: EpochMs }))
      .meta({ description: 'Parties that you may join.' }),
  })
  .meta({ id: 'MyParty' });
export type MyPartyView = z.infer<typeof MyPartyView>;
