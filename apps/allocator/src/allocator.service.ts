import { rpc } from '@muster/contracts';
import type { ServiceDefinition } from '@muster/platform';
import { AllocatorModule } from './allocator.module.js';
import { allocatorSettings, type AllocatorSettings } from './settings.js';

export const allocatorService: ServiceDefinition<AllocatorSettings> = {
  name: 'allocator',
  settings: allocatorSettings,
  module: AllocatorModule,
  outbox: 'allocator',
  connect(app, { GRPC_HOST, GRPC_PORT }, log, wire) {
    if (GRPC_PORT === undefined)
      log.warn(
        'GRPC_PORT is not set: players cannot leave a match that has no server, and the queue cannot list server builds',
      );
    else app.connectMicroservice(wire.serve(rpc.allocator, GRPC_HOST, GRPC_PORT));
  },
};
