import { pausedWaits } from '@muster/domain';
import { QueueName } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';
import { Text } from '../operator-words.js';

const said = {
  message: Text.meta({ description: 'Players read it.' }),
  waiting: z.enum(pausedWaits).meta({
    description:
      '`kept`: tickets that wait keep their places, and are matched afterwards unless they expire. `returned`: they end with the message.',
  }),
};
const until = EpochMs.meta({ description: 'When it ends by itself; players are told to come back then.' });

export const PauseQueue = z
  .strictObject({ ...said, waiting: said.waiting.default('kept'), until: until.optional() })
  .meta({ id: 'PauseQueue' });
export const AnnounceMaintenance = z
  .strictObject({
    ...PauseQueue.shape,
    startsAt: EpochMs.optional().meta({ description: 'When it begins. Default: now.' }),
  })
  .meta({ id: 'AnnounceMaintenance' });

export const PauseView = z
  .object({
    ...said,
    startsAt: EpochMs,
    until: until.nullable().meta({ description: 'null: until an operator ends it.' }),
  })
  .meta({ id: 'Pause' });
export type PauseView = z.infer<typeof PauseView>;

export const PausedQueue = z
  .object({ queue: QueueName, paused: PauseView.nullable().meta({ description: 'null: it is not paused.' }) })
  .meta({ id: 'PausedQueue' });
export type PausedQueue = z.infer<typeof PausedQueue>;

export const MaintenanceView = z
  .object({
    maintenance: PauseView.nullable().meta({ description: 'Announced, or in force; null: none.' }),
    inForce: z.boolean().meta({ description: 'Whether no queue takes tickets now.' }),
  })
  .meta({ id: 'Maintenance' });
export type MaintenanceView = z.infer<typeof MaintenanceView>;
