import { construct, DB, ErrorLog } from '@muster/platform';
import { Module } from '@nestjs/common';
import { TrustLoops } from './trust.loops.js';
import { PostgresTrust } from './trust.store.js';
import { Trust } from './trust.js';

/** Which servers have proved that they host sessions. */
@Module({
  providers: [
    TrustLoops,
    construct(PostgresTrust, [DB]),
    {
      provide: Trust,
      inject: [PostgresTrust, ErrorLog],
      useFactory: (store: PostgresTrust, errors: ErrorLog) => new Trust(store, errors.of('trust in servers')),
    },
  ],
  exports: [Trust],
})
export class TrustModule {}
