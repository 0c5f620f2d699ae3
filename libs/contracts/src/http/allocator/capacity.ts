import { BuildName, RegionName } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../../times.js';

const whole = (description: string) => z.number().int().min(0).meta({ description });

const PlaceView = z
  .object({
    build: BuildName,
    region: RegionName.nullable().meta({ description: 'null: what is wanted in any region.' }),
    servers: whole('Ready servers, overloaded ones included.'),
    slots: whole('Slots of the ready servers.'),
    used: whole('Slots in use on the ready servers.'),
    free: whole('Free slots on ready servers that are not overloaded.'),
    overloadedServers: whole('Ready servers above a limit of load.'),
    overloadedSlots: whole('Free slots of overloaded servers; they get no match.'),
    drainingServers: whole('Servers that drain.'),
    drainingSlots: whole('All slots of servers that drain.'),
    emptyServers: whole('Ready servers without a session, overloaded ones excluded.'),
    spareSlots: whole('Slots that are to be free (SPARE_SLOTS).'),
    waitingMatches: whole('Matches that wait for a server, and for which this region is the best.'),
    unfitMatches: whole('Those of them that no server fits, by mode, map or labels.'),
    wantedSlots: whole('Slots that are missing and were not requested yet.'),
    slotsOnTheirWay: whole('Slots that were requested and have not come yet.'),
    surplusServers: whole('Empty servers that may be stopped so that the spare slots stay free.'),
  })
  .meta({ id: 'Capacity' });

export const CapacityView = z
  .object({
    at: EpochMs.meta({ description: 'When the slots were counted.' }),
    places: z.array(PlaceView).meta({ description: 'Builds and regions, in the order of their names.' }),
  })
  .meta({ id: 'CapacityView' });
export type CapacityView = z.infer<typeof CapacityView>;
