import { message, type Message } from '../messages/index.js';
import type { OpenRegions } from '../matches/region-openings.js';
import { type Doubt, doubts } from '../servers/trust.js';
import { fitsServer, type ServerDemand, type ServerLabels } from '../servers/server-labels.js';

/**
 * How the server of a match is chosen: `spread` takes the least loaded one, `pack` the fullest one with a free slot, and
 * `latency-first` the best region for the players before load.
 */
export type PlacementPolicy = (typeof placementPolicies)[number];

export const placementPolicies = ['spread', 'pack', 'latency-first'] as const;

export const defaultPlacementPolicy: PlacementPolicy = 'spread';

/** The policy of that name; the default one when there is none, or only a newer release knows it. */
export function policyNamed(name: unknown): PlacementPolicy {
  return placementPolicies.find((each) => each === name) ?? defaultPlacementPolicy;
}

/** A server that may have free slots. */
export interface LoadedServer {
  readonly serverId: string;
  readonly region: string;
  readonly build: string;
  readonly incarnation: number;
  readonly slots: number;
  /** 0 to 1 and above; null when the server does not report it. */
  readonly cpuLoad: number | null;
  /** Share of a tick's time in use, 0 to 1 and above; null when the server does not report it. */
  readonly tickLoad?: number | null | undefined;
  /** Above a limit of load: it gets no match, whatever is free. */
  readonly overloaded?: boolean | undefined;
  /** Slots in use. */
  readonly used: number;
  /** Why it is asked after others; absent: it is not. */
  readonly doubt?: Doubt | undefined;
  /** What the server says of itself; absent: nothing. */
  readonly labels?: ServerLabels | undefined;
}

export interface WantedSlot {
  readonly build: string;
  /** Nearest first. */
  readonly regions: readonly string[];
  /** Whether all others will do, too, after these. */
  readonly anywhere: boolean;
  /** Latencies to the regions, in milliseconds; none for those that not all measured. Null: only their order is known. */
  readonly latencyMs: OpenRegions['latencyMs'];
  /** Servers that recently failed the match. */
  readonly avoid: readonly string[];
  /** `spread` when absent. */
  readonly policy?: PlacementPolicy | undefined;
  /** What the server must say of itself; absent: nothing. */
  readonly demand?: ServerDemand | undefined;
}

export interface SlotPick {
  readonly serverId: string;
  readonly incarnation: number;
  readonly ordinal: number;
}

const none: ReadonlySet<string> = new Set();

/** A server as one match sees it. */
interface Candidate {
  readonly serverId: string;
  readonly doubt: Doubt;
  /** Share of the slots in use, with those just assigned. */
  readonly share: number;
  /** 1 when another caller assigns its slots, else 0. */
  readonly busy: number;
  readonly strain: number;
  /** The place of its region in the match's order. */
  readonly place: number;
  /** The latency to its region, in milliseconds; infinite: not measured. 0 where only the order is known. */
  readonly distance: number;
}

/**
 * Regions whose latencies differ by no more than this are equally near for `spread` and `pack`, in milliseconds: a frame of a
 * game that runs at 60 Hz, which is also about what two measurements of one region differ by.
 */
export const equallyNearMs = 16;

/**
 * The orders of the policies, the best first, among servers of regions that are equally near: no player is sent farther
 * while a nearer region has room. Between servers of one region and one share of slots each is the order of an index, or
 * its reverse.
 *
 * - `spread`: share of slots in use, then strain, then the order of the match's regions.
 * - `latency-first`: the order of the match's regions, then as `spread`.
 * - `pack`: the largest share of slots in use, then the order of the regions, then the largest strain: servers that idle
 *   stay idle. A busy server is waited for: another one would be begun for nothing.
 */
const orders: Readonly<Record<PlacementPolicy, (a: Candidate, b: Candidate) => number>> = {
  spread: (a, b) => byLoad(a, b) || a.place - b.place || byName(a, b),
  'latency-first': (a, b) => a.place - b.place || byLoad(a, b) || byName(a, b),
  pack: (a, b) => b.share - a.share || a.place - b.place || compare(b.strain, a.strain) || byName(b, a),
};

const byLoad = (a: Candidate, b: Candidate): number =>
  a.share - b.share || a.busy - b.busy || compare(a.strain, b.strain);
const byName = (a: Candidate, b: Candidate): number => (a.serverId < b.serverId ? -1 : 1);

/**
 * The best fitting server for each match by its policy, one after another; slots just assigned are in use. An overloaded
 * server is never one of them.
 *
 * Doubted servers come after all others, wherever they are. Newcomers are tried where the policy prefers them, one at a time in each
 * place, so that invented servers delay one match and not all: where no server has proved itself, all may be asked.
 *
 * @param busy servers whose slots another caller is assigning: a match that is not packed gets one only when no other has
 *   the same share of slots in use
 * @param trials places where a newcomer is asked already; see `trialPlace`
 */
export function rankServers<Server extends LoadedServer>(
  matches: readonly WantedSlot[],
  servers: readonly Server[],
  busy: ReadonlySet<string> = none,
  trials: ReadonlySet<string> = none,
): (Server | null)[] {
  const tried = new Set(trials);
  const given = new Map<string, number>();
  const givenOf = ({ serverId }: Server): number => given.get(serverId) ?? 0;
  return matches.map((match) => {
    const { policy = defaultPlacementPolicy, latencyMs } = match;
    const fitting = servers
      .filter((server) => fits(match, server) && givenOf(server) < server.slots - server.used)
      .map((server) => ({
        server,
        serverId: server.serverId,
        doubt: server.doubt ?? doubts.none,
        share: (server.used + givenOf(server)) / server.slots,
        busy: Number(busy.has(server.serverId)),
        strain: strainOf(server),
        place: placeOf(match, server.region),
        distance: latencyMs ? (latencyMs.get(server.region) ?? Infinity) : 0,
      }));
    const least = fitting.reduce((doubt, each) => Math.min(doubt, each.doubt), Infinity);
    const trusted = fitting.filter(({ doubt }) => doubt <= Math.max(least, doubts.newcomer));
    const nearest = trusted.reduce((at, { distance }) => Math.min(at, distance), Infinity);
    const near = trusted.filter(({ distance }) => distance <= nearest + equallyNearMs);
    const bestOf = (all: typeof near): (typeof near)[number] | null =>
      all.reduce<(typeof near)[number] | null>(
        (first, each) => (first && orders[policy](first, each) <= 0 ? first : each),
        null,
      );
    const proved = near.filter(({ doubt }) => doubt === doubts.none);
    const preferred = bestOf(near);
    const mayTry = preferred !== null && !tried.has(trialPlace(preferred.server));
    const best = proved.length === 0 || mayTry ? preferred : bestOf(proved);
    if (best && best.doubt !== doubts.none) tried.add(trialPlace(best.server));
    if (best) given.set(best.serverId, givenOf(best.server) + 1);
    return best?.server ?? null;
  });
}

/** The servers of which one newcomer at a time is tried, while others have proved themselves. */
export const trialPlace = ({ build, region }: Pick<LoadedServer, 'build' | 'region'>): string =>
  JSON.stringify([build, region]);

/** Whether a server may host a match, if it has a free slot. */
function fits({ build, regions, anywhere, avoid, demand }: WantedSlot, server: LoadedServer): boolean {
  return (
    server.build === build &&
    !server.overloaded &&
    !avoid.includes(server.serverId) &&
    (anywhere || regions.includes(server.region)) &&
    (!demand || fitsServer(server.labels ?? {}, demand))
  );
}

/** The place of a region in a match's order, from 0; the number of its regions for all others. */
function placeOf({ regions }: Pick<WantedSlot, 'regions'>, region: string): number {
  const place = regions.indexOf(region);
  return place < 0 ? regions.length : place;
}

/** The larger of processor and tick load; infinite when the server reports neither. */
export function strainOf({ cpuLoad, tickLoad }: Pick<LoadedServer, 'cpuLoad' | 'tickLoad'>): number {
  return Math.max(cpuLoad ?? tickLoad ?? Infinity, tickLoad ?? -Infinity);
}

/** Two infinite values are equal, of which the difference is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Why a match got a server.
 *
 * @param server as it was before the match
 */
export function explainPick(
  want: Pick<WantedSlot, 'regions' | 'latencyMs' | 'policy'>,
  server: LoadedServer,
): Message {
  const { regions, latencyMs, policy = defaultPlacementPolicy } = want;
  const { region, slots, used } = server;
  const strain = strainOf(server);
  const params = { region, slots, used, load: Number.isFinite(strain) ? Math.round(strain * 100) : null };
  const latency = latencyMs?.get(region);
  const near = {
    ...params,
    latency: latency === undefined ? null : Math.round(latency),
    equalMs: equallyNearMs,
  };
  switch (policy) {
    case 'spread':
      return message('placement.by-spread', near);
    case 'pack':
      return message('placement.by-pack', near);
    case 'latency-first':
      return message('placement.by-latency', {
        ...params,
        place: regions.length === 0 ? 0 : placeOf(want, region) + 1,
      });
  }
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
