import { construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { Names } from './names.js';
import { NamesLoops } from './names.loops.js';
import { NamesRpc } from './names.rpc.js';
import { PostgresPlayerNames } from './names.store.js';

/** Display names of players. */
@Module({
  controllers: [NamesRpc],
  providers: [
    NamesLoops,
    construct(PostgresPlayerNames, [DB, SharedClock]),
    construct(Names, [PostgresPlayerNames, SharedClock]),
  ],
  exports: [Names],
})
export class NamesModule {}
