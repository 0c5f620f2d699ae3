import { construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { PostgresBots } from './bots.store.js';
import { Weights } from './weights.js';

/** The line protocol for legacy game servers. */
@Module({
  imports: [CoreModule],
  providers: [
    construct(PostgresBots, [DB]),
    construct(Weights, [PostgresRatings, PostgresBots, SharedClock]),
  ],
})
export class LineProtocolModule {}
