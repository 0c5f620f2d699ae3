import { reasonOf, type AvoidList, type BehaviourView, type PenaltyList } from '@muster/contracts';
import { message, verbatim, type Lift } from '@muster/domain';
import { coolDownParams } from '@muster/matchmaking';
import { Endpoint, playerOf, Sent, Who, type Identity } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { AvoidLists } from './avoid-lists.js';
import { Bans, banViewOf } from './bans.js';
import { Behaviour } from './behaviour.js';
import { Penalties, type PenaltyRecord } from './penalties.js';

/** Avoid-lists, reports of players on one another, and penalties. */
@Controller()
export class StandingController {
  constructor(
    @Inject(AvoidLists) private readonly avoidLists: AvoidLists,
    @Inject(Behaviour) private readonly behaviour: Behaviour,
    @Inject(Bans) private readonly bans: Bans,
    @Inject(Penalties) private readonly penalties: Penalties,
  ) {}

  @Endpoint('listAvoided')
  avoided(@Who() who: Identity): Promise<AvoidList> {
    return this.avoidLists.list(playerOf(who));
  }

  @Endpoint('avoidPlayer')
  avoid(@Sent() { params, body, who }: Sent<'avoidPlayer'>): Promise<AvoidList> {
    return this.avoidLists.put(playerOf(who), { ...params, ...body });
  }

  @Endpoint('stopAvoiding')
  stopAvoiding(@Sent() { params, who }: Sent<'stopAvoiding'>): Promise<AvoidList> {
    return this.avoidLists.remove(playerOf(who), params.playerId);
  }

  @Endpoint('reportBehaviour')
  async report(@Sent() { params, body, who }: Sent<'reportBehaviour'>): Promise<{ counted: boolean }> {
    return { counted: await this.behaviour.report(params.matchId, playerOf(who), body) };
  }

  @Endpoint('myBehaviour')
  async mine(@Who() who: Identity): Promise<{ word: BehaviourView['word'] }> {
    return { word: await this.behaviour.wordOf(playerOf(who)) };
  }

  @Endpoint('readBehaviour')
  read(@Sent() { params }: Sent<'readBehaviour'>): Promise<BehaviourView> {
    return this.behaviour.of(params.playerId);
  }

  @Endpoint('myPenalties')
  async myPenalties(@Who() who: Identity): Promise<PenaltyList> {
    const { ban, ...list } = await this.penaltiesWithBan(playerOf(who));
    return { ...list, ban: ban && { ...ban, by: 'operator' } };
  }

  @Endpoint('readPenalties')
  async penaltiesOf(@Sent() { params: { playerId } }: Sent<'readPenalties'>): Promise<PenaltyList> {
    return this.penaltiesWithBan(playerId);
  }

  @Endpoint('forgivePenalty')
  async forgive(@Sent() { params: { playerId, penaltyId } }: Sent<'forgivePenalty'>): Promise<PenaltyList> {
    return penaltyList(playerId, await this.penalties.forgive(playerId, penaltyId));
  }

  @Endpoint('imposePenalty')
  async impose(@Sent() { params: { playerId, penaltyId } }: Sent<'imposePenalty'>): Promise<PenaltyList> {
    return penaltyList(playerId, await this.penalties.impose(playerId, penaltyId));
  }

  private async penaltiesWithBan(playerId: string): Promise<PenaltyList> {
    const [record, ban] = await Promise.all([this.penalties.of(playerId), this.bans.of(playerId)]);
    return { ...penaltyList(playerId, record), ban: ban && banViewOf(ban) };
  }
}

function penaltyList(playerId: string, { penalties, coolDown, now }: PenaltyRecord): PenaltyList {
  return {
    playerId,
    mayQueueAt: coolDown?.until ?? null,
    ...(coolDown
      ? reasonOf([message('penalty.cool-down', { playerId, ...coolDownParams(coolDown, now) })])
      : { reason: null }),
    penalties: penalties.map(({ penaltyId, kind, queue, matchId, at, forgivenAt, lifted }) => ({
      penaltyId,
      kind,
      queue,
      matchId,
      at,
      forgivenAt,
      ...(lifted ? liftOf(lifted) : {}),
    })),
  };
}

function liftOf({ at, why }: Lift): Partial<PenaltyList['penalties'][number]> {
  const { reason, reasonMessages } = reasonOf(typeof why === 'string' ? [verbatim(why)] : why);
  return {
    liftedAt: at,
    liftedReason: reason,
    ...(reasonMessages ? { liftedReasonMessages: reasonMessages } : {}),
  };
}
