import type { MyPartyView, PartyView } from '@muster/contracts';
import type { Party } from '@muster/domain';
import { Endpoint, playerOf, Sent, vouchedPlayerOf, Who, type Identity } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { VouchedNames } from '../services/vouched-names.js';
import { Parties } from './parties.js';

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
  mine(@Who() who: Identity): Promise<MyPartyView> {
    return this.partyOf(playerOf(who));
  }

  @Endpoint('readPartyOf')
  ofPlayer(@Sent() { params: { playerId } }: Sent<'readPartyOf'>): Promise<MyPartyView> {
    return this.partyOf(playerId);
  }

  private async partyOf(playerId: string): Promise<MyPartyView> {
    const { party, invitations } = await this.parties.mine(playerId);
    return { party: party && viewOf(party), invitations };
  }

  @Endpoint('inviteToParty')
  async invite(@Sent() { params, body, who }: Sent<'inviteToParty'>): Promise<PartyView> {
    return viewOf(await this.parties.invite(params.partyId, playerOf(who), body.playerId));
  }

  @Endpoint('joinParty')
  async join(@Sent() { params, body, who }: Sent<'joinParty'>): Promise<PartyView> {
    const member = vouchedPlayerOf(who);
    this.names.note(member);
    return viewOf(
      await this.parties.join(params.partyId, {
        ...member,
        ...body,
        platform: member.platform ?? body.platform,
      }),
    );
  }

  @Endpoint('passParty')
  async pass(@Sent() { params, body, who }: Sent<'passParty'>): Promise<PartyView> {
    return viewOf(await this.parties.pass(params.partyId, playerOf(who), body.playerId));
  }

  @Endpoint('declineInvitation')
  async decline(
    @Sent() { params: { partyId, playerId }, who }: Sent<'declineInvitation'>,
  ): Promise<{ party: PartyView | null }> {
    const party = await this.parties.uninvite(partyId, playerOf(who), playerId);
    return { party: party && viewOf(party) };
  }

  @Endpoint('leaveParty')
  async leave(
    @Sent() { params: { partyId, playerId }, who }: Sent<'leaveParty'>,
  ): Promise<{ party: PartyView | null }> {
    const party = await this.parties.leave(partyId, playerOf(who), playerId);
    return { party: party && viewOf(party) };
  }

  @Endpoint('endParty')
  async end(@Sent() { params, who }: Sent<'endParty'>): Promise<{ party: null }> {
    await this.parties.end(params.partyId, playerOf(who));
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
