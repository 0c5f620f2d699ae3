import { Latencies } from '@muster/contracts';
import type { Db } from '@muster/db';
import { construct, DB, IDS, readPlayerClaims, SharedClock } from '@muster/platform';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { NamesModule } from '../names/names.module.js';
import { StoresModule } from '../stores.module.js';
import { PartiesController } from './parties.controller.js';
import { Parties } from './parties.js';
import { PartiesLoop } from './parties.loops.js';
import { PostgresPartyStore } from './party.store.js';

const partyReading = {
  latencyMs: (json: unknown) => Latencies.parse(json),
  claims: (json: unknown) => readPlayerClaims(json) ?? {},
};

/** Players form parties, which queue together. */
@Module({
  imports: [StoresModule, NamesModule],
  controllers: [PartiesController],
  providers: [
    PartiesLoop,
    {
      provide: PostgresPartyStore,
      inject: [DB],
      useFactory: (db: Db) => new PostgresPartyStore(db, partyReading),
    },
    construct(Parties, [PostgresPartyStore, RedisTicketStore, SharedClock, IDS]),
  ],
  exports: [PostgresPartyStore, NamesModule],
})
export class PartiesModule {}
