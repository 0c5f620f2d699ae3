import type { ServiceDefinition } from '@muster/platform';
import { QueueModule } from './queue.module.js';
import { queueSettings, type QueueSettings } from './settings.js';

export const queueService: ServiceDefinition<QueueSettings> = {
  name: 'queue',
  settings: queueSettings,
  module: QueueModule,
  time: 'Redis',
  // Tickets are cancelled, read and streamed without it, and players who are known queue on for a while.
  postgres: 'helpful',
};
