import {
  MyRating,
  PageOfHistory,
  PageOfMyHistory,
  PageOfRatings,
  PoolParams,
  RatingParams,
  ResetRating,
  SetRating,
  type MyRatingHistory,
  type MyRatingView,
  type RatingHistory,
  type RatingView,
} from '@muster/contracts';
import { Endpoint, playerOf, vouchedPlayerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { RatingOverrides } from './rating-overrides.js';
import { ReadRatings } from './read-ratings.js';
import { Names } from '../names/names.js';

type One = z.infer<typeof RatingParams>;

@Controller()
export class RatingsController {
  constructor(
    @Inject(ReadRatings) private readonly ratings: ReadRatings,
    @Inject(RatingOverrides) private readonly overrides: RatingOverrides,
    @Inject(Names) private readonly names: Names,
  ) {}

  @Endpoint('myRating')
  async mine(
    @Query({ schema: MyRating }) { pool }: z.infer<typeof MyRating>,
    @Who() who: Identity,
  ): Promise<MyRatingView> {
    const player = vouchedPlayerOf(who);
    await this.names.noteVouched(player);
    return this.ratings.mine(pool, player.playerId);
  }

  @Endpoint('myRatingHistory')
  myHistory(
    @Query({ schema: PageOfMyHistory }) { pool, limit, ...range }: z.infer<typeof PageOfMyHistory>,
    @Who() who: Identity,
  ): Promise<MyRatingHistory> {
    return this.ratings.myHistory(pool, playerOf(who), limit, range);
  }

  @Endpoint('listRatings')
  async list(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Query({ schema: PageOfRatings }) { after, limit }: z.infer<typeof PageOfRatings>,
  ): Promise<{ ratings: RatingView[] }> {
    const ratings = await this.ratings.page(pool, after ?? '', limit);
    const names = await this.names.of(ratings.map(({ playerId }) => playerId));
    return { ratings: ratings.map((rating) => ({ ...rating, name: names.get(rating.playerId) ?? null })) };
  }

  @Endpoint('readRating')
  async read(@Param({ schema: RatingParams }) { pool, playerId }: One): Promise<RatingView> {
    const [rating, name] = await Promise.all([
      this.ratings.show(pool, playerId),
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
    return this.ratings.show(pool, playerId);
  }

  @Endpoint('resetRating')
  async reset(
    @Param({ schema: RatingParams }) { pool, playerId }: One,
    @Query({ schema: ResetRating }) { reason, eventId }: z.infer<typeof ResetRating>,
    @Who() who: Identity,
  ): Promise<RatingView> {
    await this.overrides.reset(pool, playerId, reason, who.kind, eventId);
    return this.ratings.show(pool, playerId);
  }

  @Endpoint('readRatingHistory')
  async history(
    @Param({ schema: RatingParams }) { pool, playerId }: One,
    @Query({ schema: PageOfHistory }) { limit, ...range }: z.infer<typeof PageOfHistory>,
  ): Promise<RatingHistory> {
    const [history, name] = await Promise.all([
      this.ratings.history(pool, playerId, limit, range),
      this.names.nameOf(playerId),
    ]);
    return { ...history, name };
  }
}
