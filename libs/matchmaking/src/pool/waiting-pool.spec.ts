import { seededRandom, skillOf, type QueueRules, type Ticket, type WideningCurve } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAfter } from '../curve.js';
import type { MatchProposal } from '../matchmaker.js';
import { WaitingPool } from './waiting-pool.js';

const now = 1_000_000_000;

// ---- an independent brute-force checker: it reads the rules as written and tries every team
// --------------------------------

const slack = 1e-6;

function subsets<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((all, item) => [...all, ...all.map((some) => [...some, item])], [[]]);
}

/** Every partition of tickets into teams, as lists of indices. */
function partings(count: number, teams: number): number[][][] {
  let all: number[][][] = [Array.from({ length: teams }, () => [])];
  for (let i = 0; i < count; i++)
    all = all.flatMap((parting) =>
      parting.map((_, t) => parting.map((team, u) => (u === t ? [...team, i] : team))),
    );
  return all;
}

function canFill(players: readonly (readonly string[])[], roles: readonly string[]): boolean {
  const [role, ...others] = roles;
  if (role === undefined) return true;
  return players.some(
    (can, i) =>
      can.includes(role) &&
      canFill(
        players.filter((_, j) => j !== i),
        others,
      ),
  );
}

/** The least difference of team sums over all teams that satisfy every rule; Infinity when there are none. */
function naiveGap(tickets: readonly Ticket[], rules: QueueRules, teamSize: number, bots: number): number {
  const botTickets = Array.from({ length: bots }, () => ({
    players: [
      { playerId: '', mu: rules.bots?.skill ?? 0, canPlay: undefined as readonly string[] | undefined },
    ],
    avoid: [] as Ticket['avoid'],
  }));
  const all = [...tickets, ...botTickets];
  const wanted = Object.entries(rules.roles ?? {}).flatMap(([role, n]) =>
    Array.from({ length: n }, () => role),
  );
  let best = Infinity;
  for (const parting of partings(all.length, rules.teams)) {
    const teams = parting.map((team) => team.map((i) => all[i]!));
    if (teams.some((team) => team.reduce((sum, t) => sum + t.players.length, 0) !== teamSize)) continue;
    if (teams.some((team) => team.every((t) => t.players.every(({ playerId }) => playerId === '')))) continue;
    if (
      teams.some(
        (team) =>
          !canFill(
            team.flatMap((t) => t.players.map((p) => p.canPlay ?? [])),
            wanted,
          ),
      )
    )
      continue;
    if (teams.some((team) => team.some((t) => team.some((u) => t !== u && avoids(t, u, 'team'))))) continue;
    const sums = teams.map((team) =>
      team.reduce((sum, t) => sum + t.players.reduce((s, p) => s + p.mu, 0), 0),
    );
    best = Math.min(best, Math.max(...sums) - Math.min(...sums));
  }
  return best;
}

function avoids(
  a: { readonly avoid?: Ticket['avoid'] },
  b: { readonly players: readonly { readonly playerId: string }[] },
  scope: 'team' | 'match',
): boolean {
  return (a.avoid ?? []).some(
    (each) => each.scope === scope && b.players.some((p) => p.playerId === each.playerId),
  );
}

/** The queue's group in which a ticket plays, read off the rules; players of no group meet only their equals. */
function naiveGroup({ players }: Ticket, { crossPlay }: QueueRules): string {
  if (!crossPlay) return 'everybody';
  const { groups, partiesOpenCrossPlay = false } = crossPlay;
  const places = players.map(({ platform = '' }) => groups.findIndex((group) => group.includes(platform)));
  const oneGroup = places.every((place) => place === places[0]);
  if (places.includes(-1) || !(oneGroup || partiesOpenCrossPlay))
    return `only ${[...new Set(players.map(({ platform = '' }) => platform))].sort().join()}`;
  return `group ${Math.min(...places)}`;
}

function crossPlayFlaw(tickets: readonly Ticket[], rulesOf: (ticket: Ticket) => QueueRules): string | null {
  if (new Set(tickets.map((t) => JSON.stringify(rulesOf(t).crossPlay))).size > 1)
    return 'other rules of cross-play';
  if (new Set(tickets.map((t) => naiveGroup(t, rulesOf(t)))).size > 1) return 'groups of platforms';
  const platforms = new Set(tickets.flatMap((t) => t.players.map(({ platform }) => platform)));
  if (tickets.some((t) => t.crossPlay === false) && (platforms.size > 1 || platforms.has(undefined)))
    return 'cross-play';
  return null;
}

/** The rule that a match violates; null when it violates none. `rulesOf` returns each ticket's own rules. */
function flaw(
  tickets: readonly Ticket[],
  rulesOf: (ticket: Ticket) => QueueRules,
  teamSize: number,
  bots: number,
  at: number,
): string | null {
  const rules = rulesOf(tickets[0]!);
  const waited = (t: Ticket): number => at - t.enqueuedAt;
  const anyWaited = (seconds: number | null | undefined, least = 0): boolean =>
    seconds !== null && tickets.some((t) => waited(t) >= (seconds ?? least) * 1000);
  const widest = (curve: (r: QueueRules) => WideningCurve): number =>
    Math.max(...tickets.map((t) => limitAfter(curve(rulesOf(t)), waited(t)))) + slack;
  const humans = tickets.reduce((sum, t) => sum + t.players.length, 0);
  if (new Set(tickets.map((t) => t.build)).size > 1) return 'builds';
  const platforms = crossPlayFlaw(tickets, rulesOf);
  if (platforms !== null) return platforms;
  if (humans + bots !== rules.teams * teamSize) return 'places';
  if (
    teamSize !== rules.teamSize &&
    !(rules.smallerTeams ?? []).some((s) => s.teamSize === teamSize && anyWaited(s.afterSeconds))
  )
    return 'smaller teams too early';
  if (
    bots > 0 &&
    !(
      rules.bots &&
      anyWaited(rules.bots.afterSeconds) &&
      humans >= rules.bots.minPlayers &&
      teamSize === rules.teamSize
    )
  )
    return 'bots too early';
  const skills = tickets.map(skillOf);
  if (Math.max(...skills) - Math.min(...skills) > widest((r) => r.skillWindow)) return 'spread';
  const gap = naiveGap(tickets, rules, teamSize, bots);
  if (gap === Infinity) return 'no teams';
  if (gap > widest((r) => r.teamGap)) return 'gap';
  const choosy = tickets.filter((t) => Object.keys(t.latencyMs).length > 0);
  const regions = [...new Set(choosy.flatMap((t) => Object.keys(t.latencyMs)))].filter((region) =>
    choosy.every(
      (t) => (t.latencyMs[region] ?? Infinity) <= limitAfter(rulesOf(t).latencyLimitMs, waited(t)) + slack,
    ),
  );
  if (choosy.length > 0 && regions.length === 0) return 'regions';
  const sizes = tickets.map((t) => t.players.length).filter((size) => size > 1);
  const paired = sizes.every((size) => sizes.filter((s) => s === size).length % rules.teams === 0);
  if (!paired && !tickets.some((t) => waited(t) >= (rulesOf(t).pairPartiesSeconds ?? 0) * 1000))
    return 'parties';
  if (tickets.some((t) => tickets.some((u) => t !== u && avoids(t, u, 'match')))) return 'avoided';
  const wishes = tickets.filter((t) => (t.maps ?? []).length > 0);
  const { behaviour } = rules;
  const newest = rulesOf(tickets.reduce((a, b) => ((b.rulesVersion ?? 1) > (a.rulesVersion ?? 1) ? b : a)));
  const agreed =
    wishes.length === 0 || newest.maps?.names.some((m) => wishes.every((t) => t.maps?.includes(m)));
  if (!agreed && !anyWaited(rules.maps?.agreeSeconds)) return 'maps';
  if (behaviour) {
    const low = (t: Ticket): boolean => (t.behaviour ?? 1) < behaviour.lowBelow;
    const mixed = tickets.some(low) && !tickets.every(low);
    const apart = behaviour.apartSeconds;
    if (mixed && tickets.some((t) => low(t) && (apart === null || waited(t) < apart * 1000)))
      return 'behaviour';
  }
  return null;
}

// ---- pools -------------------------------------------------------------------------------------------------------------------

const simple: QueueRules = {
  name: 'test',
  mode: 'test',
  pool: 'test',
  teams: 2,
  teamSize: 2,
  maxPartySize: 2,
  skillWindow: [
    { afterSeconds: 0, limit: 4 },
    { afterSeconds: 10, limit: 10 },
    { afterSeconds: 30, limit: null },
  ],
  teamGap: [
    { afterSeconds: 0, limit: 2 },
    { afterSeconds: 20, limit: 8 },
    { afterSeconds: 40, limit: null },
  ],
  latencyLimitMs: [
    { afterSeconds: 0, limit: 60 },
    { afterSeconds: 20, limit: 150 },
  ],
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 60,
};

function plain(id: number): Ticket {
  return {
    ticketId: `t${String(id).padStart(3, '0')}`,
    queue: 'test',
    build: 'b',
    players: [{ playerId: `p${id}`, mu: 25, sigma: 8 }],
    latencyMs: {},
    enqueuedAt: now,
    expiresAt: now + 600_000,
    fingerprint: '',
  };
}

const someRules = fc
  .record({
    teams: fc.constantFrom(2, 2, 2, 3),
    teamSize: fc.constantFrom(1, 2, 3),
    pairPartiesSeconds: fc.constantFrom(undefined, 15),
    roles: fc.constantFrom(undefined, undefined, { healer: 1 }),
    maps: fc.constantFrom(
      undefined,
      { names: ['dust', 'lake', 'moon'], agreeSeconds: 25 },
      { names: ['dust', 'lake'], agreeSeconds: null },
    ),
    behaviour: fc.constantFrom(
      undefined,
      { lowBelow: 0.5, apartSeconds: 30 },
      { lowBelow: 0.5, apartSeconds: null },
    ),
    crossPlay: fc.constantFrom(
      undefined,
      undefined,
      { groups: [['pc'], ['ps', 'xbox']] },
      { groups: [['pc'], ['ps', 'xbox']], partiesOpenCrossPlay: true },
      { groups: [['xbox', 'ps', 'pc']] },
    ),
    smaller: fc.boolean(),
    bots: fc.boolean(),
    cap: fc.boolean(),
    far: fc.boolean(),
  })
  .map(({ teams, teamSize, smaller, bots, cap, far, ...more }): QueueRules => ({
    ...simple,
    teams,
    teamSize,
    maxPartySize: teamSize,
    ...more,
    ...(far ? { latencyLimitMs: [...simple.latencyLimitMs, { afterSeconds: 25, limit: null }] } : {}),
    ...(cap ? { skillWindow: simple.skillWindow.slice(0, 2), teamGap: simple.teamGap.slice(0, 2) } : {}),
    ...(smaller && teamSize > 1 ? { smallerTeams: [{ afterSeconds: 25, teamSize: teamSize - 1 }] } : {}),
    ...(bots ? { bots: { afterSeconds: 35, skill: 20, minPlayers: teams } } : {}),
  }));

const someTicket = fc.record({
  skill: fc.integer({ min: 10, max: 40 }),
  size: fc.constantFrom(1, 1, 1, 2, 3),
  waited: fc.integer({ min: 0, max: 60 }),
  build: fc.constantFrom('b', 'b', 'b', 'b', 'other'),
  latency: fc.option(
    fc.record(
      { eu: fc.integer({ min: 10, max: 200 }), us: fc.integer({ min: 10, max: 200 }) },
      { requiredKeys: [] },
    ),
    { freq: 2 },
  ),
  maps: fc.subarray(['dust', 'lake', 'moon']),
  healer: fc.boolean(),
  avoid: fc.array(fc.record({ who: fc.nat(14), scope: fc.constantFrom('team' as const, 'match' as const) }), {
    maxLength: 1,
  }),
  behaviour: fc.constantFrom(undefined, undefined, 0.2, 0.9),
  version: fc.constantFrom(1, 1, 1, 2),
  platforms: fc.constantFrom<(string | undefined)[]>(
    [undefined],
    [undefined],
    ['pc'],
    ['pc'],
    ['ps'],
    ['ps'],
    ['xbox'],
    ['vita'],
    ['ps', 'pc'],
    ['xbox', 'ps'],
  ),
  ownPlatformOnly: fc.constantFrom(false, false, false, true),
});

/** The platform of the p-th player of a ticket; the last one applies to all others. */
function platformOf(platforms: readonly (string | undefined)[], p: number): { platform?: string } {
  const platform = platforms[Math.min(p, platforms.length - 1)];
  return platform === undefined ? {} : { platform };
}

const situations = fc
  .record({
    rules: someRules,
    drawn: fc.array(someTicket, { minLength: 2, maxLength: 11 }),
    later: fc.boolean(),
    otherCrossPlay: fc.constantFrom(false, false, true),
    otherMaps: fc.constantFrom(false, true),
  })
  .map(({ rules, drawn, later, otherCrossPlay, otherMaps }) => {
    const maps = rules.maps && otherMaps ? { ...rules.maps, names: ['moon', 'lake'] } : rules.maps;
    const tickets = drawn.map((t, i): Ticket => ({
      ...plain(i),
      build: t.build,
      enqueuedAt: now - t.waited * 1000,
      latencyMs: t.latency ?? {},
      maps: t.maps.filter((map) => (t.version === 2 ? maps : rules.maps)?.names.includes(map)),
      avoid: t.avoid.filter(({ who }) => who !== i).map(({ who, scope }) => ({ playerId: `p${who}`, scope })),
      rulesVersion: t.version,
      ...(t.behaviour === undefined ? {} : { behaviour: t.behaviour }),
      // A ticket with several platforms, or none, cannot ask for its own.
      ...(t.ownPlatformOnly && t.platforms.length === 1 && t.platforms[0] !== undefined
        ? { crossPlay: false as const }
        : {}),
      players: Array.from({ length: Math.min(t.size, rules.maxPartySize) }, (_, p) => ({
        playerId: p === 0 ? `p${i}` : `p${i}-${p}`,
        mu: t.skill + p,
        sigma: 8,
        ...(t.healer && p === 0 ? { canPlay: ['healer'] } : {}),
        ...platformOf(t.platforms, p),
      })),
    }));
    // Under the second version, tickets wait a little less.
    const second = {
      ...rules,
      skillWindow: [
        { afterSeconds: 0, limit: 5 },
        { afterSeconds: 8, limit: 12 },
        ...rules.skillWindow.slice(2),
      ],
      ...(maps ? { maps } : {}),
      ...(otherCrossPlay ? { crossPlay: { groups: [['pc', 'ps'], ['xbox']] } } : {}),
    };
    const versions = new Map([
      [1, rules],
      [2, second],
    ]);
    return { rules, versions, tickets, later };
  });

function open(versions: ReadonlyMap<number, QueueRules>, tickets: readonly Ticket[]): WaitingPool {
  const pool = new WaitingPool(versions);
  for (const ticket of tickets) pool.add(ticket);
  return pool;
}

function ruled(versions: ReadonlyMap<number, QueueRules>): (ticket: Ticket) => QueueRules {
  return (ticket) => versions.get(ticket.rulesVersion ?? 1)!;
}

/** The latest time that any of these rules names, in milliseconds of waiting. */
function lastStep(all: readonly QueueRules[]): number {
  const seconds = all.flatMap((rules) => [
    ...[rules.skillWindow, rules.teamGap, rules.latencyLimitMs, rules.smallerTeams ?? []].flatMap((list) =>
      list.map((step) => step.afterSeconds),
    ),
    rules.pairPartiesSeconds ?? 0,
    rules.maps?.agreeSeconds ?? 0,
    rules.behaviour?.apartSeconds ?? 0,
    rules.bots?.afterSeconds ?? 0,
  ]);
  return 1000 * Math.max(...seconds);
}

function named(proposal: MatchProposal, tickets: readonly Ticket[]): Ticket[] {
  return proposal.tickets.map((id) => tickets.find((ticket) => ticket.ticketId === id)!);
}

/** The players of each match, in a canonical order. */
function sets(proposals: readonly MatchProposal[]): string[] {
  return proposals.map(({ tickets }) => tickets.toSorted().join(' ')).sort();
}

describe('the waiting pool', () => {
  it('satisfies every rule in every proposal, and no ticket is in two', () => {
    fc.assert(
      fc.property(situations, ({ versions, tickets, later }) => {
        const pool = open(versions, tickets);
        for (const at of later ? [now - 20_000, now] : [now]) {
          const { proposals } = pool.tick(at);
          const seen = proposals.flatMap((proposal) => proposal.tickets);
          expect(new Set(seen).size).toBe(seen.length);
          for (const proposal of proposals) {
            const match = named(proposal, tickets);
            expect(flaw(match, ruled(versions), proposal.teamSize, proposal.bots, at)).toBeNull();
            const gap = naiveGap(match, ruled(versions)(match[0]!), proposal.teamSize, proposal.bots);
            expect(proposal.figures.gap).toBeGreaterThanOrEqual(gap - slack);
          }
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1) * 100 },
    );
  });

  it('lets no ticket wait past the last step while there is a match for it', () => {
    fc.assert(
      fc.property(situations, ({ rules, versions, tickets }) => {
        const pool = open(versions, tickets);
        const { proposals, work } = pool.tick(now);
        expect(work.finished).toBe(true);
        const last = lastStep([...versions.values()]);
        const taken = new Set(
          proposals
            .filter((proposal) => named(proposal, tickets).some((t) => now - t.enqueuedAt >= last))
            .flatMap((proposal) => proposal.tickets),
        );
        const matched = new Set(proposals.flatMap((proposal) => proposal.tickets));
        const free = tickets.filter((ticket) => !taken.has(ticket.ticketId));
        const late = free.filter((t) => now - t.enqueuedAt >= last && !matched.has(t.ticketId));
        if (late.length === 0) return;
        const targets = [
          { teamSize: rules.teamSize, least: rules.teams * rules.teamSize },
          ...(rules.smallerTeams ?? []).map((s) => ({
            teamSize: s.teamSize,
            least: rules.teams * s.teamSize,
          })),
          ...(rules.bots ? [{ teamSize: rules.teamSize, least: rules.bots.minPlayers }] : []),
        ];
        for (const some of subsets(free)) {
          if (!some.some((ticket) => late.includes(ticket))) continue;
          const humans = some.reduce((sum, t) => sum + t.players.length, 0);
          for (const { teamSize, least } of targets) {
            const places = rules.teams * teamSize;
            if (humans > places || humans < least) continue;
            expect(flaw(some, ruled(versions), teamSize, places - humans, now)).not.toBeNull();
          }
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1) * 40 },
    );
  });

  it('gives the same answer for the same tickets, in any order of arrival', () => {
    fc.assert(
      fc.property(situations, fc.integer(), ({ versions, tickets }, seed) => {
        const random = seededRandom(seed);
        const shuffled = tickets.map((ticket) => ({ ticket, at: random() })).sort((a, b) => a.at - b.at);
        expect(
          open(
            versions,
            shuffled.map(({ ticket }) => ticket),
          ).tick(now).proposals,
        ).toEqual(open(versions, tickets).tick(now).proposals);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1) * 40 },
    );
  });

  it('forms, tick by tick with arrivals and departures, the matches of a pool built from scratch', () => {
    fc.assert(
      fc.property(situations, fc.integer(), ({ versions, tickets }, seed) => {
        const random = seededRandom(seed);
        const lasting = new WaitingPool(versions);
        const present = new Map<string, Ticket>();
        for (let at = now - 30_000; at <= now + 30_000; at += 5_000) {
          for (const ticket of tickets) {
            if (ticket.enqueuedAt > at) continue;
            if (random() < 0.4 && present.delete(ticket.ticketId)) lasting.remove(ticket.ticketId);
            else if (random() < 0.5) {
              present.set(ticket.ticketId, ticket);
              lasting.add(ticket);
            }
          }
          const proposed = lasting.tick(at).proposals;
          for (const proposal of proposed)
            expect(
              flaw(named(proposal, tickets), ruled(versions), proposal.teamSize, proposal.bots, at),
            ).toBeNull();
          expect(lasting.size).toBe(present.size);
          // In any order: the order in which tickets became late depends on history.
          expect(sets(proposed)).toEqual(sets(open(versions, [...present.values()]).tick(at).proposals));
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 1) * 40 },
    );
  });

  it('reaches every later step of a ticket, though nothing else changes', () => {
    const three = [0, 1, 2].map(plain);
    const rules: QueueRules = {
      ...simple,
      smallerTeams: [{ afterSeconds: 30, teamSize: 1 }],
      bots: { afterSeconds: 60, skill: 25, minPlayers: 3 },
      teamGap: [{ afterSeconds: 0, limit: 1e-9 }],
    };
    // One against one is formed as soon as allowed; with skills apart it waits for the bots.
    const apart = three.map((ticket, i) => ({
      ...ticket,
      players: [{ playerId: `p${i}`, mu: 25 + 10 * (i - 1), sigma: 8 }],
    }));
    const first = (tickets: readonly Ticket[]): number => {
      const pool = new WaitingPool(rules);
      for (const ticket of tickets) pool.add(ticket);
      for (let at = now; at < now + 100_000; at += 500)
        if (pool.tick(at).proposals.length > 0) return (at - now) / 1000;
      return Infinity;
    };
    expect(first(three)).toBeLessThanOrEqual(31);
    expect(first(apart)).toBeLessThanOrEqual(61);
  });

  it('draws one of the maps that as many wish for, the same one for the same tickets', () => {
    const names = ['dust', 'lake', 'moon'];
    const mapsOf = (): (string | null)[] => {
      const pool = new WaitingPool({ ...simple, teamSize: 1, maps: { names, agreeSeconds: null } });
      for (let i = 0; i < 180; i++) pool.add(plain(i));
      return pool
        .tick(now + 60_000)
        .proposals.toSorted((a, b) => (a.tickets.toSorted()[0]! < b.tickets.toSorted()[0]! ? -1 : 1))
        .map(({ map }) => map);
    };
    const drawn = mapsOf();

    expect(drawn).toHaveLength(90);
    for (const name of names) expect(drawn.filter((map) => map === name).length).toBeGreaterThan(15);
    expect(mapsOf()).toEqual(drawn);
  });

  it('matches tickets without a region in common once neither has a limit, whoever comes first', () => {
    const rules: QueueRules = {
      ...simple,
      teamSize: 1,
      latencyLimitMs: [
        { afterSeconds: 0, limit: 60 },
        { afterSeconds: 20, limit: null },
      ],
    };
    const mars = { ...plain(1), latencyMs: { mars: 20 } };
    const eu = { ...plain(2), latencyMs: { eu: 30 }, enqueuedAt: now + 30_000 };
    const pool = new WaitingPool(rules);
    pool.add(mars);
    expect(pool.tick(now + 25_000).proposals).toEqual([]);
    pool.add(eu);
    const [proposal] = pool.tick(now + 30_000).proposals;
    expect(proposal).toMatchObject({
      tickets: expect.arrayContaining(['t001', 't002']),
      regions: ['eu'],
      openings: {
        regions: [
          { region: 'eu', latencyMs: null, opensAt: now + 30_000 },
          { region: 'mars', latencyMs: null, opensAt: now + 50_000 },
        ],
        anywhereAt: now + 50_000,
      },
    });
  });

  it('tolerates a clock that is set back', () => {
    const pool = new WaitingPool(simple);
    const wide = { eu: 100, us: 100 };
    for (let i = 0; i < 4; i++) pool.add({ ...plain(i), latencyMs: wide });
    pool.tick(now + 15_000);
    pool.tick(now + 1_000);
    const { proposals } = pool.tick(now + 20_000);
    expect(proposals.map(({ tickets }) => tickets.toSorted())).toEqual([['t000', 't001', 't002', 't003']]);
  });

  it('never exceeds its work limit', () => {
    const random = seededRandom(7);
    const tickets = Array.from({ length: 3_000 }, (_, i): Ticket => ({
      ...plain(i),
      ticketId: `t${i}`,
      enqueuedAt: now - random() * 60_000,
      players: [{ playerId: `p${i}`, mu: 25 + 8 * random(), sigma: 8 }],
    }));
    const bound = { steps: 2_000, splits: 150, boundSplits: 10 };
    const pool = new WaitingPool(simple, { bound });
    for (const ticket of tickets) pool.add(ticket);
    const left = new Set(tickets.map((ticket) => ticket.ticketId));
    let ticks = 0;
    for (; pool.size > 3 && ticks < 500; ticks++) {
      const { proposals, work } = pool.tick(now);
      // The last match may exceed it.
      expect(work.steps).toBeLessThanOrEqual(bound.steps + 100);
      expect(work.splits).toBeLessThanOrEqual(bound.splits + 1);
      for (const proposal of proposals)
        for (const id of proposal.tickets) {
          expect(left.delete(id)).toBe(true);
          pool.remove(id);
        }
    }
    expect(ticks).toBeGreaterThan(2);
    expect(left.size).toBeLessThan(200);
  });
});
