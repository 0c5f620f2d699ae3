import type { MyRatingHistory, MyRatingView, RatingHistory, RatingView } from '@muster/contracts';
import { actorOf, Endpoint, playerOf, Sent, vouchedPlayerOf } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { RatingOverrides } from './rating-overrides.js';
import { ReadRatings } from './read-ratings.js';
import { Names } from '../names/names.js';

@Controller()
export class RatingsController {
  constructor(
    @Inject(ReadRatings) private readonly ratings: ReadRatings,
    @Inject(RatingOverrides) private readonly overrides: RatingOverrides,
    @Inject(Names) private readonly names: Names,
  ) {}

  @Endpoint('myRating')
  async mine(@Sent() { query: { pool }, who }: Sent<'myRating'>): Promise<MyRatingView> {
    const player = vouchedPlayerOf(who);
    await this.names.noteVouched(player);
    return this.ratings.mine(pool, player.playerId);
  }

  @Endpoint('myRatingHistory')
  myHistory(
    @Sent() { query: { pool, limit, ...range }, who }: Sent<'myRatingHistory'>,
  ): Promise<MyRatingHistory> {
    return this.ratings.myHistory(pool, playerOf(who), limit, range);
  }

  @Endpoint('listRatings')
  async list(
    @Sent() { params: { pool }, query: { after, limit } }: Sent<'listRatings'>,
  ): Promise<{ ratings: RatingView[] }> {
    const ratings = await this.ratings.page(pool, after ?? '', limit);
    const names = await this.names.of(ratings.map(({ playerId }) => playerId));
    return { ratings: ratings.map((rating) => ({ ...rating, name: names.get(rating.playerId) ?? null })) };
  }

  @Endpoint('readRating')
  async read(@Sent() { params: { pool, playerId } }: Sent<'readRating'>): Promise<RatingView> {
    const [rating, name] = await Promise.all([
      this.ratings.show(pool, playerId),
      this.names.nameOf(playerId),
    ]);
    return { ...rating, name };
  }

  @Endpoint('setRating')
  async set(@Sent() { params: { pool, playerId }, body, who }: Sent<'setRating'>): Promise<RatingView> {
    await this.overrides.set(pool, playerId, body, actorOf(who));
    return this.ratings.show(pool, playerId);
  }

  @Endpoint('resetRating')
  async reset(
    @Sent() { params: { pool, playerId }, query: { reason, eventId }, who }: Sent<'resetRating'>,
  ): Promise<RatingView> {
    await this.overrides.reset(pool, playerId, reason, actorOf(who), eventId);
    return this.ratings.show(pool, playerId);
  }

  @Endpoint('readRatingHistory')
  async history(
    @Sent() { params: { pool, playerId }, query: { limit, ...range } }: Sent<'readRatingHistory'>,
  ): Promise<RatingHistory> {
    const [history, name] = await Promise.all([
      this.ratings.history(pool, playerId, limit, range),
      this.names.nameOf(playerId),
    ]);
    return { ...history, name };
  }
}
