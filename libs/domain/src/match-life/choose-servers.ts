/** A server with free slots. */
export interface FreeServer {
  readonly serverId: string;
  readonly region: string;
  readonly build: string;
  readonly incarnation: number;
  readonly slots: number;
  /** 0 to 1 and above; null when the server does not report it. */
  readonly cpuLoad: number | null;
  /** Slots in use, less than `slots`. */
  readonly used: number;
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
  const givenOf = ({ serverId }: FreeServer): number => given.get(serverId) ?? 0;
  return matches.map(({ build, regions, avoid }) => {
    const rankOf = (server: FreeServer): readonly number[] => [
      (server.used + givenOf(server)) / server.slots,
      server.cpuLoad ?? Infinity,
      regions.indexOf(server.region),
    ];
    let best: FreeServer | null = null;
    for (const server of servers) {
      if (server.build !== build || avoid.includes(server.serverId)) continue;
      if (regions.length > 0 && !regions.includes(server.region)) continue;
      if (givenOf(server) >= server.ordinals.length) continue;
      if (best === null || isBefore(rankOf(server), rankOf(best), server.serverId < best.serverId))
        best = server;
    }
    const ordinal = best?.ordinals[best ? givenOf(best) : 0];
    if (best === null || ordinal === undefined) return null;
    given.set(best.serverId, givenOf(best) + 1);
    return { serverId: best.serverId, incarnation: best.incarnation, ordinal };
  });
}

function isBefore(a: readonly number[], b: readonly number[], else_: boolean): boolean {
  for (const [i, x] of a.entries()) {
    const y = b[i] ?? x;
    if (x !== y) return x < y;
  }
  return else_;
}
