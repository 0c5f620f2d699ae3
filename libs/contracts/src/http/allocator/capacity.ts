import { PlaceView } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';

export const CapacityView = z
  .object({
    at: EpochMs.meta({ description: 'When the slots were counted.' }),
    places: z.array(PlaceView).meta({ description: 'Builds and regions, in the order of their names.' }),
  })
  .meta({ id: 'CapacityView' });
export type CapacityView = z.infer<typeof CapacityView>;
