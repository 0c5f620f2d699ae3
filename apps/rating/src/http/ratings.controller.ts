import {
  CreatePool,
  MyRating,
  PageOfRatings,
  PoolParams,
  RatingParams,
  ReportResult,
  type ResultRated,
} from '@muster/contracts';
import type { LedgerStore, RatingPool } from '@muster/domain';
import { Endpoint, playerOf, Who, type Identity } from '@muster/platform';
import { modelNamed } from '@muster/skill';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { RateReported } from '../use-cases/rate-reported.js';
import { ReadRatings, type ShownRating } from '../use-cases/read-ratings.js';

export const LEDGER = Symbol('ledger');

@Controller()
export class RatingsController {
  constructor(
    @Inject(ReadRatings) private readonly ratings: ReadRatings,
    @Inject(RateReported) private readonly reported: RateReported,
    @Inject(LEDGER) private readonly ledger: LedgerStore,
  ) {}

  @Endpoint('myRating')
  mine(
    @Query({ schema: MyRating }) { pool }: z.infer<typeof MyRating>,
    @Who() who: Identity,
  ): Promise<ShownRating> {
    return this.ratings.show(pool, playerOf(who));
  }

  @Endpoint('listRatings')
  async list(
    @Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>,
    @Query({ schema: PageOfRatings }) { after, limit }: z.infer<typeof PageOfRatings>,
  ): Promise<{ ratings: ShownRating[] }> {
    return { ratings: await this.ratings.page(pool, after ?? '', limit) };
  }

  @Endpoint('readRating')
  read(
    @Param({ schema: RatingParams }) { pool, playerId }: z.infer<typeof RatingParams>,
  ): Promise<ShownRating> {
    return this.ratings.show(pool, playerId);
  }

  @Endpoint('listPools')
  async pools(): Promise<{ pools: RatingPool[] }> {
    return { pools: await this.ledger.pools() };
  }

  @Endpoint('createPool')
  async createPool(
    @Body({ schema: CreatePool }) { name, model }: z.infer<typeof CreatePool>,
  ): Promise<RatingPool & { created: boolean }> {
    const { pool, created } = await this.ledger.createPool(name, model, modelNamed(model).defaults);
    return { ...pool, created };
  }

  @Endpoint('reportMatch')
  report(@Body({ schema: ReportResult }) body: ReportResult, @Who() who: Identity): Promise<ResultRated> {
    return this.reported.run(body, who.kind);
  }
}
