import { BuildName, CoordinatorId, RegionName } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';
import { KeyName } from '../operators.js';
import { Text } from '../operator-words.js';

const most = { servers: 100_000, slots: 1_000_000 };

const caps = {
  maxServers: z
    .number()
    .int()
    .min(1)
    .max(most.servers)
    .nullable()
    .default(null)
    .meta({ description: 'Servers that may be there at once; null: any number.' }),
  maxSlots: z
    .number()
    .int()
    .min(1)
    .max(most.slots)
    .nullable()
    .default(null)
    .meta({ description: 'Slots of these servers together; null: any number.' }),
  regions: z
    .array(RegionName)
    .max(100)
    .default([])
    .meta({ description: 'Regions in which they may be; empty: any.' }),
  builds: z
    .array(BuildName)
    .max(100)
    .default([])
    .meta({ description: 'Builds that they may have; empty: any.' }),
};

export const CreateFleetKey = z
  .strictObject({
    fleet: KeyName.meta({
      description:
        'Whose servers they are. A server id of one fleet is not given to another one while its server is there. "default" is the fleet of SERVER_KEY.',
    }),
    ...caps,
    mustSign: z.boolean().default(false).meta({
      description: 'Whether each request must be signed (RFC 9421). The key itself is then never sent.',
    }),
    expiresInDays: z
      .number()
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .meta({ description: 'Absent: until it is revoked. Servers that are registered by then stay.' }),
    reason: Text.optional(),
  })
  .meta({ id: 'CreateFleetKey' });
export type CreateFleetKey = z.infer<typeof CreateFleetKey>;

export const ChangeFleetKey = z.strictObject({ ...caps, reason: Text.optional() }).meta({
  id: 'ChangeFleetKey',
  description: 'All caps: those that are left out end. Servers that are registered stay.',
});
export type ChangeFleetKey = z.infer<typeof ChangeFleetKey>;

export const FleetKeyParams = z.strictObject({ keyId: CoordinatorId });
export const RevokeFleetKey = z.strictObject({
  servers: z.enum(['end', 'keep']).default('end').meta({
    description:
      '`end`: its servers are refused within a second, and their sessions are lost. `keep`: they go on until they would register again.',
  }),
  reason: Text.optional(),
});

export const FleetKeyView = z
  .object({
    keyId: CoordinatorId,
    fleet: z.string(),
    maxServers: z.number().int().nullable(),
    maxSlots: z.number().int().nullable(),
    regions: z.array(z.string()),
    builds: z.array(z.string()),
    mustSign: z.boolean(),
    createdAt: EpochMs,
    createdBy: z.string(),
    expiresAt: EpochMs.nullable(),
    revokedAt: EpochMs.nullable(),
    servers: z.number().int().meta({ description: 'Servers that are there and were registered with it.' }),
    slots: z.number().int().meta({ description: 'Their slots.' }),
  })
  .meta({ id: 'FleetKey' });
export type FleetKeyView = z.infer<typeof FleetKeyView>;
export const FleetKeyCreated = FleetKeyView.extend({
  key: z
    .string()
    .meta({ description: 'The key itself. It is derived, stored nowhere, and shown only here.' }),
}).meta({ id: 'FleetKeyCreated' });
export type FleetKeyCreated = z.infer<typeof FleetKeyCreated>;
export const FleetKeyList = z
  .object({ keys: z.array(FleetKeyView).meta({ description: 'Newest first; revoked ones for 90 days.' }) })
  .meta({ id: 'FleetKeys' });
