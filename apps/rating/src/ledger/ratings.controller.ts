import {
  MatchParams,
  MyRating,
  PageOfHistory,
  PageOfMyHistory,
  PageOfRatings,
  PoolParams,
  RatingParams,
  ReportResult,
  ResetRating,
  SetRating,
  VoidMatch as VoidMatchBody,
  type MyRatingHistory,
  type MyRatingView,
  type RatingHistory,
  type RatingView,
  type RebuildView,
  type ResultRated,
} from '@muster/contracts';
import type { HabitNotes } from '@muster/domain';
import { Endpoint, playerOf, SharedClock, vouchedPlayerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { RatingOverrides } from './rating-overrides.js';
import { RateReported } from './rate-reported.js';
import { Standings } from './standings.js';
import { VoidMatch } from './void-match.js';
import { HABITS } from '../integrity/habits.module.js';
import { Names } from '../leaderboards/names.js';
import { RebuildViews } from '../rebuilds/rebuild.view.js';

type One = z.infer<typeof RatingParams>;

@Controller()
export class RatingsController {
  constructor(
    @Inject(Standings) private readonly standings: Standings,
    @Inject(RateReported) private readonly reported: RateReported,
    @Inject(RatingOverrides) private readonly overrides: RatingOverrides,
    @Inject(VoidMatch) private readonly voiding: VoidMatch,
    @Inject(RebuildViews) private readonly rebuilds: RebuildViews,
    @Inject(Names) private readonly names: Names,
    @Inject(HABITS) private readonly habits: HabitNotes,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Endpoint('myRating')
  async mine(
    @Query({ schema: MyRating }) { pool }: z.infer<typeof MyRating>,
    @Who() who: Identity,
  ): Promise<MyRatingView> {
    const player = vouchedPlayerOf(who);
    await this.names.noteVouched(player);
    return this.standings.mine(pool, player.playerId);
  }

  @Endpoint('myRatingHistory')
  myHistory(
    @Query({ schema: PageOfMyHistory }) { pool, limit, ...range }: z.infer<typeof PageOfMyHistory>,
    @Who() who: Identity,
  ): Promise<MyRatingHistory> {
    return this.standings.myHistory(pool, playerOf(who), limit, range);
  }

  @Endpoint('listRatings')
  async list(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Query({ schema: PageOfRatings }) { after, limit }: z.infer<typeof PageOfRatings>,
  ): Promise<{ ratings: RatingView[] }> {
    const ratings = await this.standings.page(pool, after ?? '', limit);
    const names = await this.names.of(ratings.map(({ playerId }) => playerId));
    return { ratings: ratings.map((rating) => ({ ...rating, name: names.get(rating.playerId) ?? null })) };
  }

  @Endpoint('readRating')
  async read(@Param({ schema: RatingParams }) { pool, playerId }: One): Promise<RatingView> {
    const [rating, name] = await Promise.all([
      this.standings.show(pool, playerId),
      this.names.nameOf(playerId),
    ]);
    return { ...rating, name };
  }

  @Endpoint('setRating')
  async set(
    @Param({ schema: RatingParams }) { pool, playerId }: One,
    @Body({ schema: SetRating }) body: SetRating,
    @Who() who: Identity,
  ): Promise<RatingView> {
    await this.overrides.set(pool, playerId, body, who.kind);
    return this.standings.show(pool, playerId);
  }

  @Endpoint('resetRating')
  async reset(
    @Param({ schema: RatingParams }) { pool, playerId }: One,
    @Query({ schema: ResetRating }) { reason, eventId }: z.infer<typeof ResetRating>,
    @Who() who: Identity,
  ): Promise<RatingView> {
    await this.overrides.reset(pool, playerId, reason, who.kind, eventId);
    return this.standings.show(pool, playerId);
  }

  @Endpoint('readRatingHistory')
  async history(
    @Param({ schema: RatingParams }) { pool, playerId }: One,
    @Query({ schema: PageOfHistory }) { limit, ...range }: z.infer<typeof PageOfHistory>,
  ): Promise<RatingHistory> {
    const [history, name] = await Promise.all([
      this.standings.history(pool, playerId, limit, range),
      this.names.nameOf(playerId),
    ]);
    return { ...history, name };
  }

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
    return { ...result, rebuild: rebuild && (await this.rebuilds.view(rebuild)) };
  }
}
