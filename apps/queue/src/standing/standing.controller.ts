import {
  AvoidedParams,
  AvoidPlayer,
  BehaviourParams,
  MatchParams,
  PenalisedParams,
  PenaltyParams,
  reasonOf,
  ReportBehaviour,
  type AvoidList,
  type BehaviourView,
  type PenaltyList,
} from '@muster/contracts';
import { message, verbatim, type Lift } from '@muster/domain';
import { coolDownParams } from '@muster/matchmaking';
import { Endpoint, playerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { AvoidLists } from './avoid-lists.js';
import { Behaviour } from './behaviour.js';
import { Penalties, type PenaltyRecord } from './penalties.js';

/** Avoid-lists, reports of players on one another, and penalties. */
@Controller()
export class StandingController {
  constructor(
    @Inject(AvoidLists) private readonly avoidLists: AvoidLists,
    @Inject(Behaviour) private readonly behaviour: Behaviour,
    @Inject(Penalties) private readonly penalties: Penalties,
  ) {}

  @Endpoint('listAvoided')
  avoided(@Who() who: Identity): Promise<AvoidList> {
    return this.avoidLists.list(playerOf(who));
  }

  @Endpoint('avoidPlayer')
  avoid(
    @Param({ schema: AvoidedParams }) { playerId }: z.infer<typeof AvoidedParams>,
    @Body({ schema: AvoidPlayer }) { scope }: z.infer<typeof AvoidPlayer>,
    @Who() who: Identity,
  ): Promise<AvoidList> {
    return this.avoidLists.put(playerOf(who), { playerId, scope });
  }

  @Endpoint('stopAvoiding')
  stopAvoiding(
    @Param({ schema: AvoidedParams }) { playerId }: z.infer<typeof AvoidedParams>,
    @Who() who: Identity,
  ): Promise<AvoidList> {
    return this.avoidLists.remove(playerOf(who), playerId);
  }

  @Endpoint('reportBehaviour')
  async report(
    @Param({ schema: MatchParams }) { matchId }: z.infer<typeof MatchParams>,
    @Body({ schema: ReportBehaviour }) report: z.infer<typeof ReportBehaviour>,
    @Who() who: Identity,
  ): Promise<{ counted: boolean }> {
    return { counted: await this.behaviour.report(matchId, playerOf(who), report) };
  }

  @Endpoint('myBehaviour')
  async mine(@Who() who: Identity): Promise<{ word: BehaviourView['word'] }> {
    return { word: await this.behaviour.wordOf(playerOf(who)) };
  }

  @Endpoint('readBehaviour')
  read(
    @Param({ schema: BehaviourParams }) { playerId }: z.infer<typeof BehaviourParams>,
  ): Promise<BehaviourView> {
    return this.behaviour.of(playerId);
  }

  @Endpoint('myPenalties')
  async myPenalties(@Who() who: Identity): Promise<PenaltyList> {
    const playerId = playerOf(who);
    return penaltyList(playerId, await this.penalties.of(playerId));
  }

  @Endpoint('readPenalties')
  async penaltiesOf(
    @Param({ schema: PenalisedParams }) { playerId }: z.infer<typeof PenalisedParams>,
  ): Promise<PenaltyList> {
    return penaltyList(playerId, await this.penalties.of(playerId));
  }

  @Endpoint('forgivePenalty')
  async forgive(
    @Param({ schema: PenaltyParams }) { playerId, penaltyId }: z.infer<typeof PenaltyParams>,
  ): Promise<PenaltyList> {
    return penaltyList(playerId, await this.penalties.forgive(playerId, penaltyId));
  }

  @Endpoint('imposePenalty')
  async impose(
    @Param({ schema: PenaltyParams }) { playerId, penaltyId }: z.infer<typeof PenaltyParams>,
  ): Promise<PenaltyList> {
    return penaltyList(playerId, await this.penalties.impose(playerId, penaltyId));
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
