import type { ServiceDefinition } from '@muster/platform';
import { QueueModule } from './queue.module.js';
import { queueSettings, type QueueSettings } from './settings.js';

export const queueService: ServiceDefinition<QueueSettings> = {
  name: 'queue',
  settings: queueSettings,
  module: QueueModule,
  time: 'Redis',
  // Without it, tickets are still cancelled, read and streamed, and known players can queue for a while.
  postgres: 'helpful',
};
