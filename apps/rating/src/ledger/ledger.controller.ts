import type { ConflictDecision, RebuildView, ResultRated } from '@muster/contracts';
import { actorOf, Endpoint, HabitNotes, Sent, SharedClock } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Names } from '../names/names.js';
import { rebuildView } from '../rebuilds/rebuild.view.js';
import { DecideConflict } from './decide-conflict.js';
import { RateReported } from './rate-reported.js';
import { VoidMatch } from './void-match.js';

@Controller()
export class LedgerController {
  constructor(
    @Inject(RateReported) private readonly reported: RateReported,
    @Inject(VoidMatch) private readonly voiding: VoidMatch,
    @Inject(DecideConflict) private readonly deciding: DecideConflict,
    @Inject(Names) private readonly names: Names,
    @Inject(HabitNotes) private readonly habits: HabitNotes,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Endpoint('reportMatch')
  async report(
    @Sent() { body: { names = {}, habits = {}, ...body }, who }: Sent<'reportMatch'>,
  ): Promise<ResultRated> {
    const rated = await this.reported.run(body, who.kind);
    await Promise.all([this.names.note(names), this.habits.note(rated.matchId, habits, this.clock.now())]);
    return rated;
  }

  @Endpoint('decideConflict')
  async decide(
    @Sent()
    { params: { matchId }, body: { as: decision, reason: why, conflictId }, who }: Sent<'decideConflict'>,
  ): Promise<{ matchId: string; decision: ConflictDecision; countsAs: string | null }> {
    const said = { matchId, decision, conflictId, by: actorOf(who), why };
    return { matchId, ...(await this.deciding.run(said)) };
  }

  @Endpoint('voidMatch')
  async void(
    @Sent() { params: { matchId }, body: { reason, penalties }, who }: Sent<'voidMatch'>,
  ): Promise<{ matchId: string; voided: boolean; rebuild: RebuildView | null }> {
    const { rebuild, ...result } = await this.voiding.run(matchId, actorOf(who), reason, penalties);
    return { ...result, rebuild: rebuild && rebuildView(rebuild) };
  }
}
