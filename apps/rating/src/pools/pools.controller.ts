import {
  CreatePool,
  HealthPlotQuery,
  HealthQuery,
  PoolParams,
  PoolRulesBody,
  type ModelList,
  type PoolHealth,
  type PoolTuned,
  type PoolView,
} from '@muster/contracts';
import type { RatingPool } from '@muster/domain';
import { Endpoint } from '@muster/platform';
import { modelKinds } from '@muster/skill';
import { Body, Controller, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Tuning } from './tuning.js';
import { ReadHealth } from './health.js';
import { Pools } from './pools.js';
import { drawHealth } from './health-plot.view.js';

type Named = z.infer<typeof PoolParams>;

@Controller()
export class PoolsController {
  constructor(
    @Inject(Pools) private readonly pools: Pools,
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
    return { pools: (await this.pools.list()).map(view) };
  }

  @Endpoint('createPool')
  async create(@Body({ schema: CreatePool }) body: CreatePool): Promise<PoolView> {
    const { created, ...pool } = await this.pools.create(body);
    return { ...view(pool), created };
  }

  @Endpoint('readPool')
  async read(@Param({ schema: PoolParams }) { pool }: Named): Promise<PoolView> {
    const named = await this.pools.named(pool);
    const proposals = await this.tuning.proposals(named);
    return { ...view(named), ...(proposals.length > 0 ? { proposals } : {}) };
  }

  @Endpoint('changePool')
  async change(
    @Param({ schema: PoolParams }) { pool }: Named,
    @Body({ schema: PoolRulesBody }) body: PoolRulesBody,
  ): Promise<PoolView> {
    return view(await this.pools.change(pool, body));
  }

  @Endpoint('rememberTuning')
  remember(@Param({ schema: PoolParams }) { pool }: Named): Promise<PoolTuned> {
    return this.tuning.remember(pool);
  }

  @Endpoint('readPoolHealth')
  readHealth(
    @Param({ schema: PoolParams }) { pool }: Named,
    @Query({ schema: HealthQuery }) { matches, periods }: z.infer<typeof HealthQuery>,
  ): Promise<PoolHealth> {
    return this.health.of(pool, matches, periods);
  }

  @Endpoint('drawPoolHealth')
  async draw(
    @Param({ schema: PoolParams }) { pool }: Named,
    @Query({ schema: HealthPlotQuery }) { matches, periods, plot }: z.infer<typeof HealthPlotQuery>,
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
