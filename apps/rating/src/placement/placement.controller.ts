import { PoolParams, type PlacementView, type PoolTuned } from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Placements } from './placements.js';
import { Tuning } from './tuning.js';

type Named = z.infer<typeof PoolParams>;

@Controller()
export class PlacementController {
  constructor(
    @Inject(Placements) private readonly placements: Placements,
    @Inject(Tuning) private readonly tuning: Tuning,
  ) {}

  @Endpoint('readPlacement')
  read(@Param({ schema: PoolParams }) { pool }: Named): Promise<PlacementView> {
    return this.placements.of(pool);
  }

  @Endpoint('rememberTuning')
  remember(@Param({ schema: PoolParams }) { pool }: Named): Promise<PoolTuned> {
    return this.tuning.remember(pool);
  }
}
