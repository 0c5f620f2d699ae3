import type { StatisticsView } from '@muster/contracts';
import { Endpoint, InvalidRequest, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Statistics } from './statistics.js';

/** How queues did, for operators. */
@Controller()
export class StatisticsController {
  constructor(@Inject(Statistics) private readonly statistics: Statistics) {}

  @Endpoint('readStatistics')
  read(@Sent() { query }: Sent<'readStatistics'>): Promise<StatisticsView> {
    const range = this.statistics.range(query);
    if (typeof range === 'string') throw new InvalidRequest(range);
    return this.statistics.read(range, query.queue);
  }
}
