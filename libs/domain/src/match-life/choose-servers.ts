/** A server that may have free slots. */
export interface LoadedServer {
  readonly serverId: string;
  readonly region: string;
  readonly build: string;
  readonly incarnation: number;
  readonly slots: number;
  /** 0 to 1 and above; null when the server does not report it. */
  readonly cpuLoad: number | null;
  /** Slots in use. */
  readonly used: number;
}

/** A server with free slots. */
export interface FreeServer extends LoadedServer {
  /** Free slots, lowest first: at least as many as matches to place, or all there are. */
  readonly ordinals: readonly number[];
}

export interface WantedSlot {
  readonly build: string;
  /** Nearest first; empty: any region. */
  readonly regions: readonly string[];
  /** Servers that recently failed the match. */
  readonly avoid: readonly string[];
}

export interface SlotPick {
  readonly serverId: string;
  readonly incarnation: number;
  readonly ordinal: number;
}

/**
 * The least-loaded fitting server for each match, one after another: share of slots in use, including those just assigned,
 * then processor load, then the order of the match's regions.
 *
 * @returns for each match its slot, or null when none fits
 */
export function chooseServers(
  matches: readonly WantedSlot[],
  servers: readonly FreeServer[],
): (SlotPick | null)[] {
  const given = new Map<string, number>();
  return rankServers(matches, servers, ({ ordinals }) => ordinals.length).map((best) => {
    if (best === null) return null;
    const { serverId, incarnation, ordinals } = best;
    const nth = given.get(serverId) ?? 0;
    const ordinal = ordinals[nth];
    if (ordinal === undefined) return null;
    given.set(serverId, nth + 1);
    return { serverId, incarnation, ordinal };
  });
}

const none: ReadonlySet<string> = new Set();

/**
 * The servers of `chooseServers`, before slots are assigned.
 *
 * @param freeOf the number of free slots of a server
 * @param busy servers whose slots another caller is assigning: a match gets one only when no other is loaded as little
 */
export function rankServers<Server extends LoadedServer>(
  matches: readonly WantedSlot[],
  servers: readonly Server[],
  freeOf: (server: Server) => number = ({ slots, used }) => slots - used,
  busy: ReadonlySet<string> = none,
): (Server | null)[] {
  const given = new Map<string, number>();
  const givenOf = ({ serverId }: Server): number => given.get(serverId) ?? 0;
  return matches.map(({ build, regions, avoid }) => {
    const isBefore = (a: Server, b: Server): boolean => {
      const order =
        (a.used + givenOf(a)) / a.slots - (b.used + givenOf(b)) / b.slots ||
        Number(busy.has(a.serverId)) - Number(busy.has(b.serverId)) ||
        compare(a.cpuLoad ?? Infinity, b.cpuLoad ?? Infinity) ||
        regions.indexOf(a.region) - regions.indexOf(b.region);
      return order === 0 ? a.serverId < b.serverId : order < 0;
    };
    let best: Server | null = null;
    for (const server of servers) {
      if (server.build !== build || avoid.includes(server.serverId)) continue;
      if (regions.length > 0 && !regions.includes(server.region)) continue;
      if (givenOf(server) >= freeOf(server)) continue;
      if (best === null || isBefore(server, best)) best = server;
    }
    if (best) given.set(best.serverId, givenOf(best) + 1);
    return best;
  });
}

/** Two infinite values are equal, of which the difference is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The lowest free slots of a server, at most `count`, and never more than keep it within its slots. */
export function freeOrdinals(slots: number, taken: readonly number[], count: number): number[] {
  const isTaken = new Set(taken);
  const free: number[] = [];
  const most = Math.min(count, slots - isTaken.size);
  for (let ordinal = 0; ordinal < slots && free.length < most; ordinal++)
    if (!isTaken.has(ordinal)) free.push(ordinal);
  return free;
}
