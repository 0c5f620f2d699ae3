import type { OpenBackfill, QueueRules, Seated, Ticket } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseForSeat, fitsSeat, gapLeft, rolesMissing, seatLevel } from './backfill.js';
import { defaultQueues } from './default-rules.js';
import { platformFactsOf, platformGroup } from './cross-play.js';
import { WaitingPool } from './pool/waiting-pool.js';

const [duel] = defaultQueues as [QueueRules, ...QueueRules[]];
const now = 1_000_000;
const open = [{ afterSeconds: 0, limit: null }];
const rules: QueueRules = {
  ...duel,
  mode: 'm',
  pool: 'p',
  teams: 2,
  teamSize: 3,
  skillWindow: open,
  teamGap: open,
  latencyLimitMs: [
    { afterSeconds: 0, limit: 50 },
    { afterSeconds: 10, limit: 100 },
  ],
};
const team = (...levels: number[]): Seated[] => levels.map((mu, i) => ({ playerId: `in${mu}-${i}`, mu }));

function aSeat(over: Partial<OpenBackfill> = {}): OpenBackfill {
  const teams = over.teams ?? [team(20, 30), team(25, 26, 27)];
  return {
    backfillId: 'b',
    matchId: 'mat',
    queue: 'q',
    build: '1',
    region: 'eu',
    map: null,
    team: 0,
    seats: 1,
    teams,
    everybody: [...teams.flat().map(({ playerId }) => playerId), 'gone'],
    rules: { mode: 'm', pool: 'p', teams: 2, teamGap: open },
    requestedAt: now,
    expiresAt: now + 60_000,
    ...over,
  };
}

function aTicket(ticketId: string, levels: readonly number[], over: Partial<Ticket> = {}): Ticket {
  return {
    ticketId,
    queue: 'q',
    build: '1',
    players: levels.map((mu, i) => ({ playerId: `${ticketId}-${i}`, mu, sigma: 2 })),
    latencyMs: {},
    enqueuedAt: now,
    expiresAt: now + 600_000,
    fingerprint: ticketId,
    ...over,
  };
}
const fits = (seat: OpenBackfill, ticket: Ticket, told: QueueRules = rules, at = now): boolean =>
  fitsSeat(seat, { ticket, rules: told }, at);
const choose = (seat: OpenBackfill, tickets: readonly Ticket[], at = now): string | undefined =>
  chooseForSeat(
    seat,
    tickets.map((ticket) => ({ ticket, rules })),
    at,
  )?.ticketId;

describe('C17 the ticket that makes a running match most even', () => {
  it('needs the skill that its team lacks', () => {
    expect(seatLevel(aSeat())).toBe(28);
    expect(gapLeft(aSeat(), aTicket('t', [26]))).toBe(2);
    expect(seatLevel(aSeat({ seats: 2, teams: [team(20), team(25, 26, 27)] }))).toBe(29);
    // The other team is short as well: full, it would be 3 × 26.
    expect(seatLevel(aSeat({ teams: [team(20, 30), team(26)] }))).toBe(28);
    expect(seatLevel(aSeat({ teams: [team(20, 30), []] }))).toBeNull();
  });

  it('is chosen, and of equals the one that has waited longest', () => {
    const tickets = [aTicket('far', [40]), aTicket('near', [27]), aTicket('low', [10])];
    expect(choose(aSeat(), tickets)).toBe('near');
    const early = aTicket('early', [29], { enqueuedAt: now - 1 });
    expect(choose(aSeat(), [...tickets, early])).toBe('early');
    expect(choose(aSeat(), [])).toBeUndefined();
  });

  it('fits by size, build and shape of the rules, and was not in the match before', () => {
    expect(fits(aSeat(), aTicket('t', [25]))).toBe(true);
    expect(fits(aSeat(), aTicket('t', [25, 25]))).toBe(false);
    expect(fits(aSeat(), aTicket('t', [25], { build: '2' }))).toBe(false);
    expect(fits(aSeat(), aTicket('t', [25]), { ...rules, pool: 'other' })).toBe(false);
    const back = aTicket('t', [25], { players: [{ playerId: 'gone', mu: 25, sigma: 2 }] });
    expect(fits(aSeat(), back)).toBe(false);
  });

  it('has no booster, which is for a whole match in its division', () => {
    const ticket = aTicket('t', [28]);
    const [player] = ticket.players;
    if (!player) throw new Error('no player');
    const booster = { boosterId: 'bst_1', division: 'Gold', higher: true };
    expect(fits(aSeat(), ticket)).toBe(true);
    expect(fits(aSeat(), { ...ticket, players: [{ ...player, booster }] })).toBe(false);
  });

  it('fits by its own latency limit', () => {
    const near = (ms: number): Ticket => aTicket('t', [25], { latencyMs: { eu: ms } });
    expect(fits(aSeat(), near(50))).toBe(true);
    expect(fits(aSeat(), near(75))).toBe(false);
    expect(fits(aSeat(), near(75), rules, now + 5_000)).toBe(true);
    expect(fits(aSeat(), aTicket('t', [25], { latencyMs: { us: 5 } }), rules, now + 60_000)).toBe(false);
  });

  it('fits when nobody in the match, or on the team, is avoided', () => {
    const avoiding = (playerId: string, scope: 'team' | 'match'): Ticket =>
      aTicket('t', [25], { avoid: [{ playerId, scope }] });
    expect(fits(aSeat(), avoiding('in25-0', 'match'))).toBe(false);
    expect(fits(aSeat(), avoiding('in25-0', 'team'))).toBe(true);
    expect(fits(aSeat(), avoiding('in20-0', 'team'))).toBe(false);
    expect(fits(aSeat(), avoiding('gone', 'match'))).toBe(true);
  });

  it('fits by behaviour and map wishes, until it has waited', () => {
    const told: QueueRules = {
      ...rules,
      behaviour: { lowBelow: 0.5, apartSeconds: 10 },
      maps: { names: ['a', 'b'], agreeSeconds: 10 },
    };
    const rude = aTicket('t', [25], { behaviour: 0.1 });
    const among = (low: boolean): OpenBackfill => aSeat({ rules: { ...aSeat().rules, low } });
    expect(fits(among(false), rude, told)).toBe(false);
    expect(fits(among(true), rude, told)).toBe(true);
    expect(fits(among(true), aTicket('t', [25]), told, now + 60_000)).toBe(false);
    expect(fits(among(false), rude, told, now + 10_000)).toBe(true);
    const wishes = aTicket('t', [25], { maps: ['b'] });
    expect(fits(aSeat({ map: 'a' }), wishes, told)).toBe(false);
    expect(fits(aSeat({ map: 'b' }), wishes, told)).toBe(true);
    expect(fits(aSeat({ map: 'a' }), wishes, told, now + 10_000)).toBe(true);
  });

  it('plays the role that left, unless others may still fill it', () => {
    const roles = { healer: 1 };
    const seat = (seats: number): OpenBackfill =>
      aSeat({ seats, rules: { ...aSeat().rules, roles }, teams: [team(20), team(25, 26, 27)] });
    const healer = aTicket('t', [25], {
      players: [{ playerId: 't', mu: 25, sigma: 2, canPlay: ['healer'] }],
    });
    expect(rolesMissing(seat(1))).toEqual(roles);
    expect(fits(seat(1), aTicket('t', [25]))).toBe(false);
    expect(fits(seat(1), healer)).toBe(true);
    expect(fits(seat(2), aTicket('t', [25]))).toBe(true);
    const there = [{ playerId: 'h', mu: 20, role: 'healer' }];
    expect(rolesMissing({ ...seat(1), teams: [there, []] })).toEqual({});
  });

  it('leaves no larger gap than the rules allow by now', () => {
    const teamGap = [
      { afterSeconds: 0, limit: 1 },
      { afterSeconds: 10, limit: 5 },
    ];
    const seat = aSeat({ rules: { ...aSeat().rules, teamGap } });
    expect(fits(seat, aTicket('t', [27]))).toBe(true);
    expect(fits(seat, aTicket('t', [24]))).toBe(false);
    expect(fits(seat, aTicket('t', [24]), rules, now + 10_000)).toBe(true);
  });

  const level = fc.integer({ min: 0, max: 50 });
  const anyTicket = fc.record({
    levels: fc.array(level, { minLength: 1, maxLength: 3 }),
    waitedMs: fc.integer({ min: 0, max: 20_000 }),
    euMs: fc.option(fc.integer({ min: 0, max: 150 })),
    build: fc.constantFrom('1', '1', '1', '2'),
  });
  const tickets = fc.array(anyTicket, { maxLength: 12 }).map((list) =>
    list.map(({ levels, waitedMs, euMs, build }, i) =>
      aTicket(`t${i}`, levels, {
        build,
        enqueuedAt: now - waitedMs,
        latencyMs: euMs === null ? {} : { eu: euMs },
      }),
    ),
  );
  const full = fc.tuple(level, level, level);

  it('equals the result of an exhaustive search, and the pool lists it among the nearest', () => {
    fc.assert(
      fc.property(tickets, full, full, fc.integer({ min: 1, max: 2 }), (list, own, others, seats) => {
        const seat = aSeat({ seats, teams: [team(...own.slice(seats)), team(...others)] });
        const before = own.slice(seats).reduce((sum, mu) => sum + mu, 0);
        const theirs = others.reduce((sum, mu) => sum + mu, 0);
        const all = list
          .filter(({ players, build, latencyMs: { eu }, enqueuedAt }) => {
            const limit = Math.min(100, 50 + (5 * (now - enqueuedAt)) / 1000);
            return players.length <= seats && build === '1' && (eu === undefined || eu <= limit);
          })
          .map(({ ticketId, players, enqueuedAt }) => {
            const sum = players.reduce((total, { mu }) => total + mu, 0);
            // As if players of exactly the needed strength filled the other seats.
            const rest = ((theirs - before) / seats) * (seats - players.length);
            return { ticketId, gap: Math.abs(theirs - before - rest - sum), enqueuedAt };
          });
        const least = Math.min(...all.map(({ gap }) => gap));
        const chosen = choose(seat, list);
        const found = all.find(({ ticketId }) => ticketId === chosen);
        expect(found === undefined).toBe(all.length === 0);
        if (!found) return;
        expect(found.gap).toBeCloseTo(least, 9);
        const pool = new WaitingPool(rules);
        for (const ticket of list) pool.add(ticket);
        const wanted = { build: '1', region: 'eu', seats, level: seatLevel(seat) };
        const nearest = pool.nearest(wanted, 100, now);
        expect(nearest.toSorted()).toEqual(all.map(({ ticketId }) => ticketId).toSorted());
        const few = Math.ceil(all.length / 2);
        expect(pool.nearest(wanted, few, now)).toEqual(nearest.slice(0, few));
        const gapOf = (id: string | undefined): number => all.find((each) => each.ticketId === id)?.gap ?? -1;
        expect(gapOf(nearest[0])).toBeCloseTo(least, 9);
      }),
    );
  });
});

describe('a seat and platforms', () => {
  const platforms = ['pc', 'mac', 'xbox', 'vita', undefined];
  const on = (platform: string | undefined) => (platform === undefined ? {} : { platform });
  const someRules = fc.constantFrom<QueueRules['crossPlay']>(
    undefined,
    { groups: [['pc', 'mac'], ['xbox']] },
    { groups: [['mac', 'pc'], ['xbox']], partiesOpenCrossPlay: true },
  );
  const someTicket = fc
    .record({
      on: fc.array(fc.constantFrom(...platforms), { minLength: 1, maxLength: 2 }),
      alone: fc.boolean(),
      build: fc.constantFrom('1', '1', '2'),
    })
    .map(({ on: its, alone, build }): Ticket => {
      const one = new Set(its).size === 1 && its[0] !== undefined;
      const base = aTicket('t', [25], { build, ...(alone && one ? { crossPlay: false as const } : {}) });
      const players = its.map((platform, p) => ({ playerId: `x${p}`, mu: 25, sigma: 2, ...on(platform) }));
      return { ...base, players };
    });

  /** Whether two tickets may be in one match, read off the rules. */
  function mayMeet(one: Ticket, other: Ticket, crossPlay: QueueRules['crossPlay']): boolean {
    const all = [...one.players, ...other.players].map(({ platform }) => platform);
    const alone = one.crossPlay === false || other.crossPlay === false;
    if (one.build !== other.build || (alone && new Set(all).size > 1)) return false;
    if (!crossPlay) return true;
    const placeOf = ({ players }: Ticket): string => {
      const its = players.map(({ platform = '' }) => crossPlay.groups.findIndex((g) => g.includes(platform)));
      const opens = new Set(its).size === 1 || crossPlay.partiesOpenCrossPlay === true;
      const named = [...new Set(players.map(({ platform = '' }) => platform))].sort().join();
      return its.includes(-1) || !opens ? named : String(Math.min(...its));
    };
    return placeOf(one) === placeOf(other);
  }

  it('is offered only to tickets that may meet everybody in the match; the pool offers no others', () => {
    fc.assert(
      fc.property(someRules, someRules, someTicket, someTicket, (made, told, inside, comes) => {
        const facts = platformFactsOf(inside);
        const group = platformGroup(made, facts.platforms);
        const seat = aSeat({
          build: inside.build,
          seats: 2,
          rules: {
            mode: 'm',
            pool: 'p',
            teams: 2,
            teamGap: open,
            ...(group === '' ? {} : { platformGroup: group }),
            ...(facts.only === null ? {} : { onlyPlatform: facts.only }),
          },
        });
        const its = { ...rules, ...(told ? { crossPlay: told } : {}) };
        const fitting = fits(seat, comes, its);
        if (fitting) expect(made === told && mayMeet(inside, comes, made)).toBe(true);
        // A ticket without cross-play joins only matches that stay on one platform.
        const promised = comes.crossPlay !== false || facts.only !== null;
        if (made === told && mayMeet(inside, comes, made) && promised) expect(fitting).toBe(true);
        const pool = new WaitingPool(its);
        pool.add(comes);
        expect(pool.nearest({ ...seat, ...seat.rules, level: null }, 9, now)).toEqual(
          fitting ? [comes.ticketId] : [],
        );
      }),
      { numRuns: 500 },
    );
  });
});
