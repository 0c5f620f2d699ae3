import { z } from 'zod';
import { BuildName, RegionName } from './names.js';
import type { Unchanging } from './unchanging.js';

const whole = (description: string) => z.number().int().min(0).meta({ description });

/** The slots of a build in a region, and what is wanted there. */
export const PlaceView = z
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

/** The same as it is counted. */
export type CapacityReport = Unchanging<Omit<z.infer<typeof PlaceView>, 'region'>> & {
  /** Empty: what is wanted in any region. */
  readonly region: string;
};
/** The servers of one build and region that are ready or draining, counted. */
export type Capacity = Omit<
  CapacityReport,
  'spareSlots' | 'waitingMatches' | 'unfitMatches' | 'wantedSlots' | 'slotsOnTheirWay' | 'surplusServers'
>;
