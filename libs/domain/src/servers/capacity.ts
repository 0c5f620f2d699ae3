import type { Capacity, CapacityReport } from '../schemas/capacity.js';
import { fitsServer, labelsKeyOf, type ServerDemand, type ServerLabels } from './server-labels.js';

/** Matches of a build that wait for a server in one of the same regions. */
export interface WaitingMatches {
  readonly build: string;
  /** The best region first; empty: any region. */
  readonly regions: readonly string[];
  /** Labels that a server must have; absent: none. */
  readonly labels?: ServerDemand['labels'];
  readonly waitingMatches: number;
  /** Those of them that no server of the build fits, free or not; absent: none. */
  readonly unfitMatches?: number | undefined;
}

/**
 * The matches for which servers are requested. Where labels are missing, the request names them. Where no server fits the mode
 * or the map, another one that was not asked for them would not fit either.
 */
export function requestable({ waitingMatches, unfitMatches = 0, labels }: WaitingMatches): number {
  return labelsKeyOf(labels) === '' ? waitingMatches - unfitMatches : waitingMatches;
}

/** Servers that were requested and may still come. */
export interface ServerRequest {
  readonly build: string;
  /** The region to be preferred first; empty: any region. */
  readonly regions: readonly string[];
  /** Labels that its servers must have; absent: none. */
  readonly labels?: ServerDemand['labels'];
  readonly slots: number;
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** From then on its servers are not expected any more, in milliseconds since the epoch. */
  readonly until: number;
}

/** A request, and how many of its slots have not come yet. */
export interface OpenRequest extends ServerRequest {
  readonly onTheirWay: number;
}

/** A server that became part of the fleet. */
export interface ArrivedServer {
  readonly build: string;
  readonly region: string;
  /** What it says of itself; absent: nothing. */
  readonly labels?: ServerLabels | undefined;
  readonly slots: number;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** How many slots are to be free in each region, for each build. */
export interface SpareSlots {
  readonly byRegion: ReadonlyMap<string, number>;
  /** In regions that are not named and have servers of the build. */
  readonly elsewhere: number;
}

export const noSpares: SpareSlots = { byRegion: new Map(), elsewhere: 0 };

/** Whether any spare slots are wanted. */
export const wantsSpares = ({ byRegion, elsewhere }: SpareSlots): boolean =>
  elsewhere > 0 || [...byRegion.values()].some((slots) => slots > 0);

/** The number of slots that are to be free for a build in a region. */
export const sparesOf = ({ byRegion, elsewhere }: SpareSlots, region: string): number =>
  byRegion.get(region) ?? elsewhere;

/**
 * The slots of each request that are still on their way.
 *
 * 1. A request is over at its `until`.
 * 2. Servers that came after it are its own, the oldest request first. What a server has beyond one request is not
 * counted for the next: further servers come for that.
 */
export function onTheirWay(
  requests: readonly ServerRequest[],
  arrived: readonly ArrivedServer[],
  now: number,
): OpenRequest[] {
  const open = requests
    .filter(({ until }) => until > now)
    .toSorted((a, b) => a.at - b.at)
    .map((request) => ({ ...request, onTheirWay: request.slots }));
  for (const { build, region, labels = {}, slots, at } of arrived.toSorted((a, b) => a.at - b.at)) {
    const own = open.find(
      (each) =>
        each.onTheirWay > 0 &&
        each.build === build &&
        each.at <= at &&
        (each.regions.length === 0 || each.regions.includes(region)) &&
        fitsServer(labels, { labels: each.labels }),
    );
    if (own) own.onTheirWay = Math.max(0, own.onTheirWay - slots);
  }
  return open;
}

/** Free and requested slots of all builds and regions at one moment. */
export interface CapacityFacts {
  readonly places: readonly Capacity[];
  /** What waits and may be requested. */
  readonly waiting: readonly WaitingMatches[];
  /** Requests whose servers may still come, with what is on its way of each. */
  readonly requests: readonly OpenRequest[];
}

/** Servers to request: `ServerShortage` without its time. */
export interface WantedServers extends WaitingMatches {
  readonly slots: number;
  readonly servers: number;
}

/**
 * What is to be requested, so that each waiting match gets a slot and the spare slots are free.
 *
 * 1. Waiting matches lack a slot each. They count for the region that is best for them.
 * 2. What is on its way to a region goes to its waiting matches first.
 * 3. The rest is spare, with the free slots. Slots of overloaded and draining servers are not free.
 *
 * @param builds the builds that may be requested; unless given, spare slots are kept for those with a ready server
 */
export function decideRequests(
  { places, waiting, requests }: CapacityFacts,
  spares: SpareSlots,
  builds?: readonly string[],
): WantedServers[] {
  const coming = new Map<string, number>();
  for (const { build, regions, labels, onTheirWay: slots } of requests) {
    const key = keyOf(build, regions[0], labels);
    coming.set(key, (coming.get(key) ?? 0) + slots);
  }
  const take = (key: string, most: number): number => {
    const taken = Math.min(most, coming.get(key) ?? 0);
    coming.set(key, (coming.get(key) ?? 0) - taken);
    return taken;
  };
  const wanted = new Map<string, WaitingMatches & { slots: number }>();
  for (const group of waiting) {
    const { build, regions, labels } = group;
    const waitingMatches = requestable(group);
    const slots = waitingMatches - take(keyOf(build, regions[0], labels), waitingMatches);
    const labelsKey = labelsKeyOf(labels);
    const demand = labelsKey === '' ? {} : { labels };
    if (slots > 0)
      wanted.set(JSON.stringify([build, ...regions, labelsKey]), {
        build,
        regions,
        ...demand,
        waitingMatches,
        slots,
      });
  }
  for (const { build, region, target, free } of sparePlaces(places, spares, builds)) {
    const missing = target - free - take(keyOf(build, region), target);
    if (missing <= 0) continue;
    const key = JSON.stringify([build, region, '']);
    const group = wanted.get(key) ?? { build, regions: [region], waitingMatches: 0, slots: 0 };
    wanted.set(key, { ...group, slots: group.slots + missing });
  }
  return [...wanted.values()].map((group) => ({
    ...group,
    servers: Math.ceil(group.slots / slotsPerServer(places, group)),
  }));
}

const keyOf = (build: string, region = '', labels?: ServerDemand['labels']): string =>
  JSON.stringify([build, region, labelsKeyOf(labels)]);

interface SparePlace {
  readonly build: string;
  readonly region: string;
  readonly target: number;
  readonly free: number;
}

/** The builds and regions for which slots are kept free. */
function sparePlaces(
  places: readonly Capacity[],
  spares: SpareSlots,
  allowed?: readonly string[],
): SparePlace[] {
  const known = new Map(places.map((place) => [keyOf(place.build, place.region), place]));
  const builds = allowed ?? [
    ...new Set(places.flatMap(({ build, servers }) => (servers > 0 ? [build] : []))),
  ];
  return builds.flatMap((build) => {
    const here = places.filter((place) => place.build === build && place.servers > 0);
    const regions = new Set([...spares.byRegion.keys(), ...here.map(({ region }) => region)]);
    return [...regions].flatMap((region) => {
      const target = sparesOf(spares, region);
      return target > 0 ? [{ build, region, target, free: known.get(keyOf(build, region))?.free ?? 0 }] : [];
    });
  });
}

/** The mean slots of the ready servers of the build in these regions, else of the build; 1 when there are none. */
function slotsPerServer(places: readonly Capacity[], { build, regions }: WaitingMatches): number {
  const ofBuild = places.filter((place) => place.build === build);
  const near = ofBuild.filter(({ region }) => regions.length === 0 || regions.includes(region));
  for (const some of [near, ofBuild]) {
    const servers = some.reduce((sum, each) => sum + each.servers, 0);
    if (servers > 0) return Math.max(1, some.reduce((sum, each) => sum + each.slots, 0) / servers);
  }
  return 1;
}

/**
 * How many empty servers of a place may be stopped so that its spare slots stay free, if all its servers are alike.
 * Servers on their way are not counted: they may not come.
 */
export function surplusServers(place: Capacity, spares: SpareSlots): number {
  if (place.servers === 0) return 0;
  const each = Math.max(1, place.slots / place.servers);
  return Math.max(
    0,
    Math.min(place.emptyServers, Math.floor((place.free - sparesOf(spares, place.region)) / each)),
  );
}

/** What there is, what is wanted and what is on its way, by build and region. */
export function reportCapacity(
  count: CapacityFacts,
  spares: SpareSlots,
  builds?: readonly string[],
): CapacityReport[] {
  const reports = new Map<string, CapacityReport>();
  const add = (build: string, region: string, more: Partial<CapacityReport>): void => {
    const key = keyOf(build, region);
    const before = reports.get(key) ?? { ...nothing, build, region };
    reports.set(key, { ...before, ...more });
  };
  const amount = (build: string, region: string, of: Amount): number =>
    reports.get(keyOf(build, region))?.[of] ?? 0;
  for (const place of count.places)
    add(place.build, place.region, { ...place, surplusServers: surplusServers(place, spares) });
  for (const { build, region, target } of sparePlaces(count.places, spares, builds))
    add(build, region, { spareSlots: target });
  const counted: [Amount, readonly (readonly [WaitingMatches | ServerRequest, number])[]][] = [
    ['waitingMatches', count.waiting.map((each) => [each, each.waitingMatches])],
    ['unfitMatches', count.waiting.map((each) => [each, each.unfitMatches ?? 0])],
    ['slotsOnTheirWay', count.requests.map((each) => [each, each.onTheirWay])],
    ['wantedSlots', decideRequests(count, spares, builds).map((each) => [each, each.slots])],
  ];
  for (const [of, entries] of counted)
    for (const [
      {
        build,
        regions: [region = ''],
      },
      number,
    ] of entries)
      add(build, region, { [of]: amount(build, region, of) + number });
  return [...reports.values()].toSorted(
    (a, b) => compareText(a.build, b.build) || compareText(a.region, b.region),
  );
}

type Amount = 'waitingMatches' | 'unfitMatches' | 'slotsOnTheirWay' | 'wantedSlots';

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const nothing: Omit<CapacityReport, 'build' | 'region'> = {
  servers: 0,
  slots: 0,
  used: 0,
  free: 0,
  overloadedServers: 0,
  overloadedSlots: 0,
  drainingServers: 0,
  drainingSlots: 0,
  emptyServers: 0,
  spareSlots: 0,
  waitingMatches: 0,
  unfitMatches: 0,
  wantedSlots: 0,
  slotsOnTheirWay: 0,
  surplusServers: 0,
};
