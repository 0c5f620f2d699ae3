import type { ModelList, PoolHealth, PoolTuned, PoolView } from '@muster/contracts';
import type { RatingPool } from '@muster/domain';
import { Endpoint, Sent } from '@muster/platform';
import { modelKinds } from '@muster/skill';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { PostgresRatings } from '../core/ratings.store.js';
import { Tuning } from './tuning.js';
import { ReadHealth } from './health.js';
import { Pools } from './pools.js';
import { drawHealth } from './health-plot.view.js';

@Controller()
export class PoolsController {
  constructor(
    @Inject(Pools) private readonly pools: Pools,
    @Inject(PostgresRatings) private readonly ratings: PostgresRatings,
    @Inject(ReadHealth) private readonly health: ReadHealth,
    @Inject(Tuning) private readonly tuning: Tuning,
  ) {}

  @Endpoint('listModels')
  models(): z.infer<typeof ModelList> {
    return {
      models: modelKinds.map(({ name, title, about, needs, parameters }) => ({
        name,
        title,
        about,
        needs: [...needs],
        parameters: { ...parameters },
      })),
    };
  }

  @Endpoint('listPools')
  async list(): Promise<{ pools: PoolView[] }> {
    return { pools: (await this.ratings.pools()).map(view) };
  }

  @Endpoint('createPool')
  async create(@Sent() { body }: Sent<'createPool'>): Promise<PoolView> {
    const { created, ...pool } = await this.pools.create(body);
    return { ...view(pool), created };
  }

  @Endpoint('readPool')
  async read(@Sent() { params: { pool } }: Sent<'readPool'>): Promise<PoolView> {
    const named = await this.ratings.pool(pool);
    const proposals = await this.tuning.proposals(named);
    return { ...view(named), ...(proposals.length > 0 ? { proposals } : {}) };
  }

  @Endpoint('changePool')
  async change(@Sent() { params: { pool }, body }: Sent<'changePool'>): Promise<PoolView> {
    return view(await this.pools.change(pool, body));
  }

  @Endpoint('rememberTuning')
  remember(@Sent() { params: { pool } }: Sent<'rememberTuning'>): Promise<PoolTuned> {
    return this.tuning.remember(pool);
  }

  @Endpoint('readPoolHealth')
  readHealth(
    @Sent() { params: { pool }, query: { matches, periods } }: Sent<'readPoolHealth'>,
  ): Promise<PoolHealth> {
    return this.health.of(pool, matches, periods);
  }

  @Endpoint('drawPoolHealth')
  async draw(
    @Sent() { params: { pool }, query: { matches, periods, plot } }: Sent<'drawPoolHealth'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const health = await this.health.of(pool, matches, periods);
    await reply.header('content-type', 'image/svg+xml; charset=utf-8').send(drawHealth(health, plot));
  }
}

function view({ modifiers, rules, calibration, ...pool }: RatingPool): PoolView {
  return {
    ...pool,
    modifiers: [...modifiers],
    rules: {
      ...rules,
      parameters: { ...rules.parameters },
      circumstances: [...rules.circumstances],
      divisions: [...rules.divisions],
    },
    calibration: { ...calibration, offsets: { ...calibration.offsets } },
  };
}
