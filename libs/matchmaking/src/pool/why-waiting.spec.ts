import { message, type PlatformsMet, type QueueRules, type Ticket } from '@muster/domain';
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

const all = { meets: 'all', platforms: [] } as const;
type Met = { readonly meets: PlatformsMet; readonly platforms: readonly string[] };
const players = (here: number, met: Met = all) =>
  message('waiting.players', { here, seats: 4, missing: 4 - here, build: 'b1', ...met });
const platforms = (here: number, met: Met) =>
  message('waiting.platforms', { here, seats: 4, build: 'b1', ...met });

describe('why a ticket waits', () => {
  it('counts the players, and names the next step while they stay few', () => {
    expect(why([ticket('me', [25]), ticket('a', [25]), ticket('b', [25], { build: 'b2' })])).toEqual({
      rule: 'players',
      messages: [players(2)],
      widensInMs: null,
    });
    expect(
      why([ticket('me', [25])], { bots: { afterSeconds: 45, skill: 20, minPlayers: 2 } }, now + 5_000),
    ).toEqual({
      rule: 'players',
      messages: [players(1), message('waiting.bots-later', { seconds: 40, players: 2 })],
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
      messages: [platforms(1, { meets: 'some', platforms: ['pc', 'mac'] })],
      widensInMs: null,
    });
    expect(why([on('me', 'pc'), on('a', 'mac')], { crossPlay })).toEqual({
      rule: 'players',
      messages: [players(2, { meets: 'some', platforms: ['pc', 'mac'] })],
      widensInMs: null,
    });
    expect(why([on('me', 'pc', { crossPlay: false }), on('a', 'pc'), ...three])).toEqual({
      rule: 'platforms',
      messages: [platforms(2, { meets: 'own', platforms: ['pc'] })],
      widensInMs: null,
    });
    // Where all platforms meet, none is named.
    expect(why([on('me', 'pc'), on('a', 'xbox')])?.messages).toEqual([players(2)]);
    const unnamed = { crossPlay, build: 'b1' };
    expect(why([ticket('me', [25]), on('a', 'pc')], unnamed)?.messages).toEqual([
      players(1, { meets: 'unnamed', platforms: [] }),
    ]);
  });

  it('names the region that opens next', () => {
    const there = (id: string): Ticket => ticket(id, [25], { latencyMs: { us: 20 } });
    expect(
      why([ticket('me', [25], { latencyMs: { eu: 20, us: 110 } }), there('a'), there('b'), there('c')]),
    ).toEqual({
      rule: 'regions',
      messages: [
        message('waiting.regions', { here: 1, seats: 4 }),
        message('waiting.region-opens', { region: 'us', seconds: 10 }),
      ],
      widensInMs: 10_000,
    });
  });

  it('says that waiting does not help where no region will ever be near enough', () => {
    const far = { latencyMs: { eu: 200, us: 161 } };
    const noRegion = (party: boolean) => ({
      rule: 'regions',
      messages: [message('waiting.no-region', { region: 'us', latency: 161, limit: 160, party })],
      widensInMs: null,
    });
    const others = ['a', 'b', 'c'].map((id) => ticket(id, [25]));
    expect(why([ticket('me', [25], far)])).toEqual(noRegion(false));
    expect(why([ticket('me', [25, 25], far), ...others])).toEqual(noRegion(true));
    expect(why([ticket('me', [25], { latencyMs: { us: 160 } })])?.messages).toEqual([players(1)]);
  });

  it('gives the distance of the nearest players, and when it is allowed', () => {
    const anyTeams = { teamGap: [{ afterSeconds: 0, limit: null }] };
    const others = [ticket('a', [25]), ticket('b', [24]), ticket('c', [26])];
    expect(why([ticket('me', [33]), ...others], anyTeams)).toEqual({
      rule: 'skill',
      messages: [message('waiting.skill-window', { seats: 4, spread: 9, window: 4, seconds: 5 })],
      widensInMs: 5_000,
    });
    expect(why([ticket('me', [50]), ...others], anyTeams)?.messages).toMatchObject([
      { code: 'waiting.skill-window', params: { seconds: null } },
    ]);
  });

  it('reports that a match is held back for a more even one, and until when', () => {
    const found = why([ticket('me', [28, 28]), ticket('a', [25.5]), ticket('b', [25.5])]);
    expect(found?.rule).toBe('teams');
    expect(found?.messages).toEqual([message('waiting.teams-uneven', { gap: 5, allowed: 2, seconds: 6 })]);
    expect(found?.widensInMs).toBe(6_000);
  });

  it('never says that a number exceeds the same number', () => {
    const anyTeams = { teamGap: [{ afterSeconds: 0, limit: null }] };
    const apart = [ticket('me', [34.02]), ticket('a', [25]), ticket('b', [26]), ticket('c', [27])];
    // Nine and a little apart; the window is nine and nothing after five seconds.
    const window = (at: number) => why(apart, anyTeams, at)?.messages[0]?.params;
    expect(window(now + 5_000)).toMatchObject({ spread: 9.1, window: 9 });
    expect(window(now + 4_990)).toMatchObject({ spread: 9.1, window: 8.9 });
    const uneven = [ticket('me', [28, 28]), ticket('a', [25.5]), ticket('b', [25.5])];
    expect(why(uneven, {}, now + 5_990)?.messages[0]?.params).toMatchObject({ gap: 5, allowed: 4.9 });
  });

  it('reports that most have only just come, where the rules would allow a match already', () => {
    const old = ticket('me', [27], { enqueuedAt: now - 2_000 });
    const found = why([old, ticket('a', [22]), ticket('b', [22]), ticket('c', [26])]);
    expect(found?.rule).toBe('teams');
    expect(found?.messages).toMatchObject([{ code: 'waiting.better-match' }]);
    // The window is 5 after one second, which its tickets have not waited for on average.
    expect(why([old, ...['a', 'b', 'c'].map((id) => ticket(id, [26]))])?.rule).toBe('none');
  });

  it('reports parties that do not fit, or face none of their size, and maps', () => {
    const trios: Partial<QueueRules> = { teamSize: 3, maxPartySize: 3 };
    const two = (id: string): Ticket => ticket(id, [25, 25]);
    expect(why([ticket('me', [25, 25]), two('a'), two('b')], trios)?.rule).toBe('parties');
    const paired = why([ticket('me', [25, 25]), ticket('a', [25]), ticket('b', [25])], {
      pairPartiesSeconds: 15,
    });
    expect(paired).toMatchObject({ rule: 'parties', widensInMs: 15_000 });
    expect(paired?.messages).toEqual([message('waiting.party-sizes', { seconds: 15 })]);
    const wish = (id: string, map: string): Ticket => ticket(id, [25], { maps: [map] });
    expect(
      why([wish('me', 'dust'), wish('a', 'lake'), wish('b', 'lake'), wish('c', 'lake')], {
        maps: { names: ['dust', 'lake'], agreeSeconds: 20 },
      }),
    ).toMatchObject({ rule: 'maps', widensInMs: 20_000 });
  });

  it('names avoid-lists, not parties, and no player as avoided', () => {
    const avoiding = (playerId: string): Partial<Ticket> => ({ avoid: [{ playerId, scope: 'match' }] });
    const others = ['a', 'b', 'c'].map((id) => ticket(id, [25]));
    for (const tickets of [
      [ticket('me', [25], avoiding('a-0')), ...others],
      [ticket('me', [25]), ticket('a', [25], avoiding('me-0')), ...others.slice(1)],
    ])
      expect(why(tickets)).toEqual({
        rule: 'avoided',
        messages: [message('waiting.avoided', { teams: 2 })],
        widensInMs: null,
      });
    expect(why([ticket('me', [25], avoiding('a-0')), ...others, ticket('d', [25])])?.rule).toBe('none');
  });

  it('names avoid-lists or roles, not an infinite gap, where these forbid every split', () => {
    const rather: Partial<Ticket> = {
      avoid: ['a-0', 'b-0', 'c-0'].map((playerId) => ({ playerId, scope: 'team' as const })),
    };
    const others = ['a', 'b', 'c'].map((id) => ticket(id, [25]));
    expect(why([ticket('me', [25], rather), ...others])).toEqual({
      rule: 'avoided',
      messages: [message('waiting.avoided', { teams: 2 })],
      widensInMs: null,
    });
    // Also while the skill window, which time would widen, forbids it too.
    expect(why([ticket('me', [33], rather), ...others])?.rule).toBe('avoided');
    const healers = (id: string, mus: number[]): Ticket => ({
      ...ticket(id, mus),
      players: mus.map((mu, i) => ({ playerId: `${id}-${i}`, mu, sigma: 8, canPlay: ['healer'] })),
    });
    // Two healers in all, but of one party.
    expect(
      why([healers('me', [25, 25]), ticket('a', [25]), ticket('b', [25])], { roles: { healer: 1 } }),
    ).toEqual({
      rule: 'parties',
      messages: [message('waiting.parties-do-not-fit', { teams: 2, roles: true })],
      widensInMs: null,
    });
  });

  it('counts all players of a build, in whatever region', () => {
    const far = (id: string, region: string): Ticket => ticket(id, [25], { latencyMs: { [region]: 110 } });
    expect(why([far('me', 'eu'), far('a', 'us')])?.messages).toEqual([players(2)]);
    const near = (id: string, region: string): Ticket => ticket(id, [25], { latencyMs: { [region]: 20 } });
    expect(why([near('me', 'eu'), near('a', 'us'), near('b', 'us')])?.messages).toEqual([players(3)]);
    // One that accepts any region, between others that have none in common.
    expect(why([ticket('me', [25]), near('a', 'eu'), near('b', 'us'), near('c', 'asia')])).toEqual({
      rule: 'regions',
      messages: [message('waiting.regions', { here: 2, seats: 4 })],
      widensInMs: null,
    });
  });

  it('reports a match that is being formed, and no unrelated players', () => {
    const four = ['me', 'a', 'b', 'c'].map((id) => ticket(id, [25]));
    expect(why(four)?.rule).toBe('none');
    expect(why([ticket('a', [25])])).toBeUndefined();
  });
});
