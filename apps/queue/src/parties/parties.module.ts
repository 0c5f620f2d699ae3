import type { Db } from '@muster/db';
import { construct, DB, IDS, readPlayerClaims, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { ServicesModule } from '../services/services.module.js';
import { PartiesController } from './parties.controller.js';
import { Parties } from './parties.js';
import { PartiesLoop } from './parties.loops.js';
import { PostgresPartyStore } from './party.store.js';

/** Players form parties, which queue together. */
@Module({
  imports: [CoreModule, ServicesModule],
  controllers: [PartiesController],
  providers: [
    PartiesLoop,
    {
      provide: PostgresPartyStore,
      inject: [DB],
      useFactory: (db: Db) => new PostgresPartyStore(db, readPlayerClaims),
    },
    construct(Parties, [PostgresPartyStore, RedisTicketStore, SharedClock, IDS]),
  ],
  exports: [PostgresPartyStore],
})
export class PartiesModule {}
