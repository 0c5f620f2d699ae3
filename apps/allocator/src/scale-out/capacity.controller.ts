import type { CapacityView } from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { CapacityReports } from './capacity.js';

@Controller()
export class CapacityController {
  constructor(@Inject(CapacityReports) private readonly reports: CapacityReports) {}

  @Endpoint('readCapacity')
  async read(): Promise<CapacityView> {
    const { at, places } = await this.reports.read();
    return { at, places: places.map(({ region, ...place }) => ({ ...place, region: region || null })) };
  }
}
