import {
  InviteToParty,
  JoinParty,
  PartyMemberParams,
  PartyParams,
  PassParty,
  type MyPartyView,
  type PartyView,
} from '@muster/contracts';
import type { Party } from '@muster/domain';
import { Endpoint, playerOf, vouchedPlayerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { VouchedNames } from '../services/vouched-names.js';
import { Parties } from './parties.js';

type Params = z.infer<typeof PartyParams>;

@Controller()
export class PartiesController {
  constructor(
    @Inject(Parties) private readonly parties: Parties,
    @Inject(VouchedNames) private readonly names: VouchedNames,
  ) {}

  @Endpoint('createParty')
  async create(@Who() who: Identity): Promise<PartyView> {
    return viewOf(await this.parties.create({ ...vouchedPlayerOf(who), latencyMs: {} }));
  }

  @Endpoint('myParty')
  async mine(@Who() who: Identity): Promise<MyPartyView> {
    const { party, invitations } = await this.parties.mine(playerOf(who));
    return { party: party && viewOf(party), invitations };
  }

  @Endpoint('inviteToParty')
  async invite(
    @Param({ schema: PartyParams }) { partyId }: Params,
    @Body({ schema: InviteToParty }) { playerId }: z.infer<typeof InviteToParty>,
    @Who() who: Identity,
  ): Promise<PartyView> {
    return viewOf(await this.parties.invite(partyId, playerOf(who), playerId));
  }

  @Endpoint('joinParty')
  async join(
    @Param({ schema: PartyParams }) { partyId }: Params,
    @Body({ schema: JoinParty }) brings: z.infer<typeof JoinParty>,
    @Who() who: Identity,
  ): Promise<PartyView> {
    const member = vouchedPlayerOf(who);
    this.names.note(member);
    return viewOf(await this.parties.join(partyId, { ...member, ...brings }));
  }

  @Endpoint('passParty')
  async pass(
    @Param({ schema: PartyParams }) { partyId }: Params,
    @Body({ schema: PassParty }) { playerId }: z.infer<typeof PassParty>,
    @Who() who: Identity,
  ): Promise<PartyView> {
    return viewOf(await this.parties.pass(partyId, playerOf(who), playerId));
  }

  @Endpoint('declineInvitation')
  async decline(
    @Param({ schema: PartyMemberParams }) { partyId, playerId }: z.infer<typeof PartyMemberParams>,
    @Who() who: Identity,
  ): Promise<{ party: PartyView | null }> {
    const party = await this.parties.uninvite(partyId, playerOf(who), playerId);
    return { party: party && viewOf(party) };
  }

  @Endpoint('leaveParty')
  async leave(
    @Param({ schema: PartyMemberParams }) { partyId, playerId }: z.infer<typeof PartyMemberParams>,
    @Who() who: Identity,
  ): Promise<{ party: PartyView | null }> {
    const party = await this.parties.leave(partyId, playerOf(who), playerId);
    return { party: party && viewOf(party) };
  }

  @Endpoint('endParty')
  async end(
    @Param({ schema: PartyParams }) { partyId }: Params,
    @Who() who: Identity,
  ): Promise<{ party: null }> {
    await this.parties.end(partyId, playerOf(who));
    return { party: null };
  }
}

/**
 * What members see. Latencies and roles are private to each player; build and platform decide whether they can queue
 * together.
 */
function viewOf({ partyId, leader, members, invitations }: Party): PartyView {
  return {
    partyId,
    leader,
    members: members.map(({ playerId, joinedAt, build, platform, crossPlay }) => ({
      playerId,
      joinedAt,
      ...(build === undefined ? {} : { build }),
      ...(platform === undefined ? {} : { platform }),
      ...(crossPlay === false ? { crossPlay } : {}),
    })),
    invitations: [...invitations],
  };
}
