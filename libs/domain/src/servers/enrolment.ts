import { FleetFull, FleetRefused } from '../errors.js';
import type { ServerRegistration } from './server.js';

/** What a fleet's key lets servers be. Empty lists and null are no caps. */
export interface EnrolmentCaps {
  readonly maxServers: number | null;
  readonly maxSlots: number | null;
  readonly regions: readonly string[];
  readonly builds: readonly string[];
}

/** The servers of a key that are there, without the one that registers. */
export interface EnrolledServers {
  readonly servers: number;
  readonly slots: number;
}

/** When a fleet that is full may have room: one of its servers may have fallen silent. */
const retryAfterSeconds = 10;

/**
 * Whether a key's caps let a server register.
 *
 * @throws FleetRefused for a region or build that the key is not for, FleetFull when the fleet has all that it may have
 */
export function checkEnrolment(
  { maxServers, maxSlots, regions, builds }: EnrolmentCaps,
  others: EnrolledServers,
  { region, build, slots }: Pick<ServerRegistration, 'region' | 'build' | 'slots'>,
): void {
  if (regions.length > 0 && !regions.includes(region))
    throw new FleetRefused(
      `The fleet key is not for servers in the region ${region}, but in ${regions.join(', ')}.`,
      { region, regions: [...regions] },
    );
  if (builds.length > 0 && !builds.includes(build))
    throw new FleetRefused(
      `The fleet key is not for servers of the build ${build}, but of ${builds.join(', ')}.`,
      { build, builds: [...builds] },
    );
  if (maxServers !== null && others.servers + 1 > maxServers)
    throw new FleetFull(
      `The fleet key has ${others.servers} servers, of ${maxServers} that it may have. Stop one, or have an admin raise maxServers.`,
      { maxServers, servers: others.servers, retryAfterSeconds },
    );
  if (maxSlots !== null && others.slots + slots > maxSlots)
    throw new FleetFull(
      `The fleet key has servers with ${others.slots} slots, of ${maxSlots} that it may have; ${slots} more are too many. Register fewer, or have an admin raise maxSlots.`,
      { maxSlots, slots: others.slots, wanted: slots, retryAfterSeconds },
    );
}
