import {
  MatchParams,
  ReportResult,
  VoidMatch as VoidMatchBody,
  type RebuildView,
  type ResultRated,
} from '@muster/contracts';
import { Endpoint, HabitNotes, SharedClock, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Names } from '../names/names.js';
import { rebuildView } from '../rebuilds/rebuild.view.js';
import { RateReported } from './rate-reported.js';
import { VoidMatch } from './void-match.js';

@Controller()
export class LedgerController {
  constructor(
    @Inject(RateReported) private readonly reported: RateReported,
    @Inject(VoidMatch) private readonly voiding: VoidMatch,
    @Inject(Names) private readonly names: Names,
    @Inject(HabitNotes) private readonly habits: HabitNotes,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Endpoint('reportMatch')
  async report(
    @Body({ schema: ReportResult }) { names = {}, habits = {}, ...body }: ReportResult,
    @Who() who: Identity,
  ): Promise<ResultRated> {
    const rated = await this.reported.run(body, who.kind);
    await Promise.all([this.names.note(names), this.habits.note(rated.matchId, habits, this.clock.now())]);
    return rated;
  }

  @Endpoint('voidMatch')
  async void(
    @Param({ schema: MatchParams }) { matchId }: z.infer<typeof MatchParams>,
    @Body({ schema: VoidMatchBody }) { reason, penalties }: z.infer<typeof VoidMatchBody>,
    @Who() who: Identity,
  ): Promise<{ matchId: string; voided: boolean; rebuild: RebuildView | null }> {
    const { rebuild, ...result } = await this.voiding.run(matchId, who.kind, reason, penalties);
    return { ...result, rebuild: rebuild && rebuildView(rebuild) };
  }
}
