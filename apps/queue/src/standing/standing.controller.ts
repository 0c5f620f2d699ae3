import {
  AvoidedParams,
  AvoidPlayer,
  BehaviourParams,
  MatchParams,
  ReportBehaviour,
  type AvoidList,
  type BehaviourView,
} from '@muster/contracts';
import { Endpoint, playerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { AvoidLists } from './avoid-lists.js';
import { Behaviour } from './behaviour.js';

/** Avoid-lists, and reports of players on one another. */
@Controller()
export class StandingController {
  constructor(
    @Inject(AvoidLists) private readonly avoidLists: AvoidLists,
    @Inject(Behaviour) private readonly behaviour: Behaviour,
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
}
