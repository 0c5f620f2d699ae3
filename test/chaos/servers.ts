import { Fleet } from '../support/fleet.js';

/** The build that the servers and players of a fault test have. */
export const build = 'chaos';

/** Three game servers of a system under test. Half of their matches are won by the first team, the others by the last. */
export function serversOf(options: {
  readonly url: string;
  readonly serverKey: string;
  readonly random: () => number;
  /** How long a match lasts, in milliseconds. */
  readonly matchMs: () => number;
  readonly slots?: number;
}): Fleet {
  const { url, serverKey, random, matchMs, slots = 3 } = options;
  return new Fleet({
    url,
    serverKey,
    servers: 3,
    slots,
    build,
    region: 'local',
    matchMs,
    ranks: (teams) => (random() < 0.5 ? teams.map((_, t) => t + 1) : teams.map((_, t) => teams.length - t)),
  });
}
