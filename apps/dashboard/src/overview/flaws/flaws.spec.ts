import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import type { QueueLately } from '../lately.js';
import type { Seen } from './flaw.js';
import { flawsOf } from './flaws.js';

const now = 1_000_000_000;
const minuteMs = 60_000;
const quiet: Seen = { now, isCutOff: false, failed: [] };
const whatOf = (seen: Partial<Seen>): string[] => flawsOf({ ...quiet, ...seen }).map(({ what }) => what);
const problem = (status: number, detail: string): MusterProblem =>
  new MusterProblem({ type: 'about:blank', title: 'No', status, detail });

const rules = (some: object = {}) =>
  ({
    name: 'duel',
    teams: 2,
    teamSize: 1,
    skillWindow: [{ afterSeconds: 30, limit: null }],
    teamGap: [{ afterSeconds: 0, limit: null }],
    latencyLimitMs: [{ afterSeconds: 60, limit: null }],
    ticketTtlSeconds: 600,
    ...some,
  }) as unknown as NonNullable<Seen['queues']>['queues'][number];
const total = { assigned: 0, cancelled: 0, expired: 0, failed: 0 };
const lately = (some: Partial<QueueLately> = {}): QueueLately =>
  ({ queue: 'duel', waiting: 8, matchedLately: 3, total, ...some }) as QueueLately;
const waits = (ms: number, rule?: string): Seen['oldest'] =>
  new Map([['duel', { ticketId: 'tkt_1', enqueuedAt: now - ms, rule }]]);
const place = (some: object) =>
  ({
    build: '1.4',
    region: 'eu',
    servers: 2,
    slots: 8,
    used: 2,
    free: 6,
    overloadedServers: 0,
    overloadedSlots: 0,
    drainingServers: 0,
    waitingMatches: 0,
    unfitMatches: 0,
    wantedSlots: 0,
    slotsOnTheirWay: 0,
    ...some,
  }) as NonNullable<Seen['places']>[number];

it('finds nothing where all is well, and nothing where nothing is known', () => {
  expect(flawsOf(quiet)).toEqual([]);
  expect(
    flawsOf({
      ...quiet,
      queues: { queues: [rules()] },
      lately: [lately()],
      oldest: waits(30_000, 'skill'),
      places: [place({})],
      servers: [],
      jobs: [{ jobQueue: 'form-teams', waiting: 3, active: 1, delayed: 1, dead: 0 }],
      conflicts: [],
      webhooks: [],
      pools: [],
      rebuilds: [],
    }),
  ).toEqual([]);
});

describe('services', () => {
  it('do not answer, or fail', () => {
    const failed = [
      { call: 'readCapacity', error: problem(502, 'It refuses connections.') },
      { call: 'listConflicts', error: problem(502, 'It refuses connections.') },
      { call: 'listPools', error: problem(503, 'The database is away.') },
    ] as const;
    expect(whatOf({ failed })).toEqual([
      'No replica of allocator answers: It refuses connections.',
      'Calls of rating fail: The database is away.',
    ]);
  });

  it('are not blamed when the browser is cut off', () => {
    const failed = [{ call: 'readCapacity', error: new TypeError('Failed to fetch') }] as const;
    expect(whatOf({ failed, isCutOff: true })).toEqual(['The coordinator does not answer.']);
  });
});

describe('queues', () => {
  const queues = { queues: [rules()] };

  it('are late when a ticket waits longer than the rules widen, and enough wait', () => {
    expect(whatOf({ queues, lately: [lately()], oldest: waits(3 * minuteMs, 'skill') })).toEqual([
      'A ticket of queue duel has waited for 3 min, though 8 wait and the rules widen no further.',
    ]);
    expect(whatOf({ queues, lately: [lately()], oldest: waits(90_000, 'skill') })).toEqual([]);
    expect(
      whatOf({ queues, lately: [lately({ waiting: 1 })], oldest: waits(3 * minuteMs, 'skill') }),
    ).toEqual([]);
    expect(whatOf({ queues, lately: [lately()], oldest: waits(3 * minuteMs, 'regions') })).toEqual([]);
  });

  it('match nothing though many wait', () => {
    const slow = { queues: [rules({ skillWindow: [{ afterSeconds: 400, limit: null }] })] };
    const seen = { queues: slow, lately: [lately({ matchedLately: 0 })], oldest: waits(150_000, 'none') };
    expect(whatOf(seen)).toEqual([
      'Nothing is matched in queue duel while 8 tickets wait, the longest for 2 min 30 s.',
    ]);
  });

  it('fail tickets', () => {
    const failing = lately({ total: { ...total, assigned: 90, failed: 10 } as QueueLately['total'] });
    expect(whatOf({ queues, lately: [failing] })[0]).toContain('10 % of the tickets of queue duel');
    const fine = lately({ total: { ...total, assigned: 99, failed: 1 } as QueueLately['total'] });
    expect(whatOf({ queues, lately: [fine] })).toEqual([]);
  });

  it('are paused, alone or by maintenance, and then not late', () => {
    const pause = { message: 'Back soon.', waiting: 'kept', startsAt: now - 1, until: null } as const;
    const late = { lately: [lately()], oldest: waits(9 * minuteMs, 'skill') };
    expect(whatOf({ ...late, queues: { queues: [rules({ paused: pause })] } })).toEqual([
      'Queue duel is paused, until an operator ends it.',
    ]);
    const maintenance = { ...pause, until: now + 2 * 3_600_000 };
    expect(whatOf({ ...late, queues: { ...queues, maintenance } })).toEqual([
      'Maintenance: no queue takes tickets, and ends in 2 h.',
    ]);
    expect(
      whatOf({ queues: { ...queues, maintenance: { ...pause, startsAt: now + 5 * minuteMs } } }),
    ).toEqual(['Maintenance begins in 5 min: no queue takes tickets from then on.']);
  });
});

describe('the fleet', () => {
  it('lacks servers for matches that wait', () => {
    expect(whatOf({ places: [place({ waitingMatches: 2, free: 0 })] })).toEqual([
      '2 matches of build 1.4 wait for a server in eu: no slot is free.',
    ]);
    expect(whatOf({ places: [place({ waitingMatches: 1, free: 0, servers: 0, region: null })] })).toEqual([
      '1 match of build 1.4 waits for a server in any region: none of that build is ready.',
    ]);
    expect(whatOf({ places: [place({ waitingMatches: 3, unfitMatches: 3 })] })).toEqual([
      '3 matches of build 1.4 wait for a server in eu: no server fits them by mode, map or labels.',
    ]);
    expect(whatOf({ places: [place({ waitingMatches: 1 })] }), 'one is being placed').toEqual([]);
    expect(whatOf({ places: [], lately: [lately()] })).toEqual([
      'No server is registered, and tickets wait.',
    ]);
  });

  it('says what comes by itself', () => {
    const [flaw] = flawsOf({
      ...quiet,
      places: [place({ waitingMatches: 2, free: 0, slotsOnTheirWay: 4, drainingServers: 1 })],
    });
    expect(flaw?.mend).toBe(
      '4 slots on the way. Beside these: 1 server draining. If they do not come, see the log of allocator.',
    );
  });

  it('has scarce slots, overloaded servers and silent ones', () => {
    expect(
      whatOf({ places: [place({ slots: 40, free: 1 }), place({ build: '2', slots: 10, free: 0 })] }),
    ).toEqual(['2.0 % of the 50 slots in eu are free.']);
    expect(whatOf({ places: [place({ overloadedServers: 1 })] })).toEqual([
      '1 server is overloaded and gets no match.',
    ]);
    const servers = ['a', 'b', 'c', 'd', 'e'].map((serverId) => ({ serverId, silent: serverId !== 'a' }));
    expect(whatOf({ servers: servers as Seen['servers'] })).toEqual([
      '4 servers are silent: b, c, d and 1 more.',
    ]);
  });
});

describe('work', () => {
  it('has dead letters and results to decide', () => {
    const jobs = [{ jobQueue: 'rate-match', waiting: 0, active: 0, delayed: 0, dead: 2 }];
    const conflicts = [{ decision: null }, { decision: { as: 'kept' } }] as Seen['conflicts'];
    expect(whatOf({ jobs, conflicts })).toEqual([
      '2 jobs of rate-match used up their attempts.',
      '1 report contradicts a result that counted.',
    ]);
  });

  it('has receivers that take no events', () => {
    const webhook = {
      webhookId: 'whk_1',
      url: 'https://a.example',
      note: '',
      dead: 0,
      oldestOpenAt: null,
      pausedReason: null,
    };
    const whatOfWebhook = (some: object): string[] =>
      whatOf({ webhooks: [{ ...webhook, ...some }] as Seen['webhooks'] });
    expect(whatOfWebhook({})).toEqual([]);
    expect(whatOfWebhook({ oldestOpenAt: now - 2 * 3_600_000 })).toEqual([
      'Webhook https://a.example has not taken an event that happened 2 h ago.',
    ]);
    expect(whatOfWebhook({ dead: 3, note: 'stats' })).toEqual([
      '3 events did not reach webhook stats within a day of attempts.',
    ]);
  });

  it('has pools that are rebuilt or predict badly', () => {
    const rebuild = { pool: 'duel', state: 'running', done: 30, total: 120, error: null };
    const pool = { name: 'duel', calibration: { scale: { mean: 2.5, sd: 0.2 }, matches: 900 } };
    const unsure = { name: 'arena', calibration: { scale: { mean: 2.5, sd: 0.4 }, matches: 900 } };
    expect(
      whatOf({ rebuilds: [rebuild] as Seen['rebuilds'], pools: [pool, unsure] as unknown as Seen['pools'] }),
      'the gravest first',
    ).toEqual([
      'The predictions of pool duel are far too cautious: its scale is 2.5, where 1 is right.',
      'Pool duel is being rebuilt: 25 % of 120 events.',
    ]);
  });
});
