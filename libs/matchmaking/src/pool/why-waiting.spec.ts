import type { QueueRules, Ticket } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { WaitingPool } from './waiting-pool.js';

const now = 1_000_000_000;
const rules: QueueRules = {
  name: 'pairs',
  mode: 'test',
  pool: 'test',
  teams: 2,
  teamSize: 2,
  maxPartySize: 2,
  skillWindow: [
    { afterSeconds: 0, limit: 4 },
    { afterSeconds: 10, limit: 14 },
    { afterSeconds: 30, limit: 20 },
  ],
  teamGap: [
    { afterSeconds: 0, limit: 2 },
    { afterSeconds: 20, limit: 12 },
  ],
  latencyLimitMs: [
    { afterSeconds: 0, limit: 60 },
    { afterSeconds: 20, limit: 160 },
  ],
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 60,
};

const ticket = (id: string, mus: number[], more: Partial<Ticket> = {}): Ticket => ({
  ticketId: id,
  queue: 'pairs',
  build: 'b1',
  players: mus.map((mu, i) => ({ playerId: `${id}-${i}`, mu, sigma: 8 })),
  latencyMs: {},
  enqueuedAt: now,
  expiresAt: now + 600_000,
  fingerprint: '',
  ...more,
});

function why(tickets: readonly Ticket[], of: Partial<QueueRules> = {}, at = now) {
  const pool = new WaitingPool({ ...rules, ...of });
  for (const each of tickets) pool.add(each);
  return pool.explain('me', at);
}

describe('why a ticket waits', () => {
  it('counts the players, and says what comes when they stay few', () => {
    expect(why([ticket('me', [25]), ticket('a', [25]), ticket('b', [25], { build: 'b2' })])).toEqual({
      rule: 'players',
      words: '2 of 4 players are here (build b1): 2 more must queue.',
      widensInMs: null,
    });
    expect(
      why([ticket('me', [25])], { bots: { afterSeconds: 45, skill: 20, minPlayers: 2 } }, now + 5_000),
    ).toEqual({
      rule: 'players',
      words:
        '1 of 4 players are here (build b1): 3 more must queue. After 40 s more 2 players will do, and bots fill up.',
      widensInMs: 40_000,
    });
  });

  it('names the platforms that it may meet, where those keep it waiting', () => {
    const on = (id: string, platform: string, more: Partial<Ticket> = {}): Ticket => ({
      ...ticket(id, [25], more),
      players: [{ playerId: id, mu: 25, sigma: 8, platform }],
    });
    const crossPlay = { groups: [['pc', 'mac'], ['xbox']] };
    const three = ['a', 'b', 'c'].map((id) => on(id, 'xbox'));
    expect(why([on('me', 'pc'), ...three], { crossPlay })).toEqual({
      rule: 'platforms',
      words: 'Enough players wait (build b1), but 1 of 4 on platforms that you may meet (pc, mac).',
      widensInMs: null,
    });
    expect(why([on('me', 'pc'), on('a', 'mac')], { crossPlay })).toEqual({
      rule: 'players',
      words:
        '2 of 4 players are here (build b1; on platforms that you may meet (pc, mac)): 2 more must queue.',
      widensInMs: null,
    });
    expect(why([on('me', 'pc', { crossPlay: false }), on('a', 'pc'), ...three])).toEqual({
      rule: 'platforms',
      words: 'Enough players wait (build b1), but 2 of 4 on pc, and you play without cross-play.',
      widensInMs: null,
    });
    // Where all platforms meet, they are not spoken of.
    expect(why([on('me', 'pc'), on('a', 'xbox')])?.words).toBe(
      '2 of 4 players are here (build b1): 2 more must queue.',
    );
  });

  it('names the region that opens next', () => {
    const there = (id: string): Ticket => ticket(id, [25], { latencyMs: { us: 20 } });
    expect(
      why([ticket('me', [25], { latencyMs: { eu: 20, us: 110 } }), there('a'), there('b'), there('c')]),
    ).toEqual({
      rule: 'regions',
      words: 'Enough players wait, but 1 of 4 in regions that are near enough to you. us will be in 10 s.',
      widensInMs: 10_000,
    });
  });

  it('says how far apart the nearest are, and when that is allowed', () => {
    const anyTeams = { teamGap: [{ afterSeconds: 0, limit: null }] };
    const others = [ticket('a', [25]), ticket('b', [24]), ticket('c', [26])];
    expect(why([ticket('me', [33]), ...others], anyTeams)).toEqual({
      rule: 'skill',
      words:
        'Enough players wait, but the 4 nearest are up to 9.0 apart and the window is 4.0; it will in 5 s.',
      widensInMs: 5_000,
    });
    expect(why([ticket('me', [50]), ...others], anyTeams)?.words).toContain('it will not widen that far');
  });

  it('says that a match is held back for a more even one, and until when', () => {
    const found = why([ticket('me', [28, 28]), ticket('a', [25.5]), ticket('b', [25.5])]);
    expect(found?.rule).toBe('teams');
    expect(found?.words).toBe(
      'A match is at hand and is held back for a more even one: its teams would differ by 5.0, and 2.0 is allowed by now; it is made in 6 s at the latest.',
    );
    expect(found?.widensInMs).toBe(6_000);
  });

  it('never says that a number is too much for the same number', () => {
    const anyTeams = { teamGap: [{ afterSeconds: 0, limit: null }] };
    const apart = [ticket('me', [34.02]), ticket('a', [25]), ticket('b', [26]), ticket('c', [27])];
    // Nine and a little apart; the window is nine and nothing after five seconds.
    expect(why(apart, anyTeams, now + 5_000)?.words).toContain('up to 9.1 apart and the window is 9.0;');
    expect(why(apart, anyTeams, now + 4_990)?.words).toContain('up to 9.1 apart and the window is 8.9;');
    const uneven = [ticket('me', [28, 28]), ticket('a', [25.5]), ticket('b', [25.5])];
    expect(why(uneven, {}, now + 5_990)?.words).toContain('would differ by 5.0, and 4.9 is allowed by now;');
  });

  it('says that most have only just come, where the rules would allow a match already', () => {
    const old = ticket('me', [27], { enqueuedAt: now - 2_000 });
    const found = why([old, ticket('a', [22]), ticket('b', [22]), ticket('c', [26])]);
    expect(found?.rule).toBe('teams');
    expect(found?.words).toMatch(/^A match is at hand, and waits a moment for a better one/);
    // The window is 5 after one second, which its tickets have not waited for on the mean.
    expect(why([old, ...['a', 'b', 'c'].map((id) => ticket(id, [26]))])?.rule).toBe('none');
  });

  it('tells of parties that do not fit, or face none of their size, and of maps', () => {
    const trios: Partial<QueueRules> = { teamSize: 3, maxPartySize: 3 };
    const two = (id: string): Ticket => ticket(id, [25, 25]);
    expect(why([ticket('me', [25, 25]), two('a'), two('b')], trios)?.rule).toBe('parties');
    const paired = why([ticket('me', [25, 25]), ticket('a', [25]), ticket('b', [25])], {
      pairPartiesSeconds: 15,
    });
    expect(paired).toMatchObject({ rule: 'parties', widensInMs: 15_000 });
    expect(paired?.words).toContain('would face none of their size; from 15 s on');
    const wish = (id: string, map: string): Ticket => ticket(id, [25], { maps: [map] });
    expect(
      why([wish('me', 'dust'), wish('a', 'lake'), wish('b', 'lake'), wish('c', 'lake')], {
        maps: { names: ['dust', 'lake'], agreeSeconds: 20 },
      }),
    ).toMatchObject({ rule: 'maps', widensInMs: 20_000 });
  });

  it('calls avoid-lists by their name, not parties, and says of nobody that they are avoided', () => {
    const avoiding = (playerId: string): Partial<Ticket> => ({ avoid: [{ playerId, scope: 'match' }] });
    const others = ['a', 'b', 'c'].map((id) => ticket(id, [25]));
    for (const tickets of [
      [ticket('me', [25], avoiding('a-0')), ...others],
      [ticket('me', [25]), ticket('a', [25], avoiding('me-0')), ...others.slice(1)],
    ])
      expect(why(tickets)).toEqual({
        rule: 'avoided',
        words:
          'Enough players are near, but avoid-lists keep some of them apart: without these they would fill 2 whole teams with you.',
        widensInMs: null,
      });
    expect(why([ticket('me', [25], avoiding('a-0')), ...others, ticket('d', [25])])?.rule).toBe('none');
  });

  it('says so when a match is being formed, and nothing of strangers', () => {
    const four = ['me', 'a', 'b', 'c'].map((id) => ticket(id, [25]));
    expect(why(four)?.rule).toBe('none');
    expect(why([ticket('a', [25])])).toBeUndefined();
  });
});
