import { PoolParams, type PlacementView } from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { ReadFit } from './read-fit.js';

@Controller()
export class NewcomersController {
  constructor(@Inject(ReadFit) private readonly fits: ReadFit) {}

  @Endpoint('readPlacement')
  read(@Param({ schema: PoolParams }) { pool }: z.infer<typeof PoolParams>): Promise<PlacementView> {
    return this.fits.of(pool);
  }
}
