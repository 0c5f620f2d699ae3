import { construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, takenRequests, type QueueSettings } from '../settings.js';
import { PlayerRequestLoops } from './player-requests.loops.js';
import { PlayerRequestsController } from './player-requests.controller.js';
import { PlayerRequests } from './player-requests.js';
import { PostgresPlayerRequests } from './player-requests.store.js';

/** Players ask for a copy of their data, or to be erased; commands of the operator carry it out. */
@Module({
  controllers: [PlayerRequestsController],
  providers: [
    PlayerRequestLoops,
    construct(PostgresPlayerRequests, [DB]),
    {
      provide: PlayerRequests,
      inject: [PostgresPlayerRequests, QUEUE_SETTINGS, SharedClock],
      useFactory: (store: PostgresPlayerRequests, settings: QueueSettings, clock: SharedClock) =>
        new PlayerRequests(store, takenRequests(settings), clock),
    },
  ],
})
export class PlayerRequestsModule {}
