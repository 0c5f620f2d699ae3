import type { PlacementView } from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { ReadFit } from './read-fit.js';

@Controller()
export class NewcomersController {
  constructor(@Inject(ReadFit) private readonly fits: ReadFit) {}

  @Endpoint('readPlacement')
  read(@Sent() { params: { pool } }: Sent<'readPlacement'>): Promise<PlacementView> {
    return this.fits.of(pool);
  }
}
