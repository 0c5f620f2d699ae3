import { seededRandom, type Signal, type SignalKind } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { newcomerLevels } from './newcomer.js';
import { mostOpponents } from './opponents.js';
import type { WatchedMatch } from './results.js';
import { signalThresholds, watchMatch, type PlayerWatch, type WatchContext } from './watch.js';
import type { ServerWatch } from './server.js';

const start = { mu: 25, sigma: 8 };
const known = { mu: 25, sigma: 2 };

/** A pool in which every chance is even unless a match says otherwise, and a level adds its own log-odds. */
class Watched {
  readonly players = new Map<string, PlayerWatch>();
  readonly servers = new Map<string, ServerWatch>();
  readonly found: Signal[] = [];
  private matches = 0;

  constructor(private readonly closed: { kind: SignalKind; subject: string; through: number }[] = []) {}

  play(
    teams: readonly (readonly string[])[],
    winner: number,
    more: Partial<Pick<WatchedMatch, 'chances' | 'server' | 'before'>> = {},
  ): readonly Signal[] {
    const sequence = ++this.matches;
    const match: WatchedMatch = {
      matchId: `m${sequence}`,
      sequence,
      teams,
      ranks: teams.map((_, t) => (t === winner ? 1 : 2)),
      chances: teams.map(() => 1 / teams.length),
      before: teams.map((team) => team.map(() => known)),
      server: null,
      ...more,
    };
    const { players, server, signals } = watchMatch(this, match, this.context());
    for (const [id, watch] of players) this.players.set(id, watch);
    if (server && match.server !== null) this.servers.set(match.server, server);
    this.found.push(...signals);
    return signals;
  }

  private context(): WatchContext {
    return {
      start,
      thresholds: signalThresholds,
      levelChances: () => newcomerLevels.map((level) => 1 / (1 + Math.exp(-2 * (level - 1.5)))),
      isClosed: (kind, subject, sequence) =>
        this.closed.some(
          (each) => each.kind === kind && each.subject === subject && sequence <= each.through,
        ),
    };
  }
}

let others = 0;
const stranger = (): string => `other-${++others}`;

describe('signals', () => {
  it('find a new account that wins nearly everything, and say what speaks for and against', () => {
    const pool = new Watched();
    pool.play([['new'], [stranger()]], 0, { before: [[start], [known]] });
    for (let i = 0; i < 19; i++) pool.play([['new'], [stranger()]], 0);
    const [signal] = pool.found;
    expect(signal).toMatchObject({ kind: 'newcomer', players: ['new'], server: null });
    expect(signal?.matches).toBeLessThanOrEqual(20);
    expect(signal?.evidence).toBeGreaterThan(signalThresholds.newcomer);
    expect(signal?.pro.map(({ code }) => code)).toEqual([
      'integrity.newcomer-won',
      'integrity.newcomer-level',
    ]);
    expect(signal?.contra.map(({ code }) => code)).toEqual([
      'integrity.by-chance',
      'integrity.newcomer-skilled',
    ]);
    // The account is not new any more.
    pool.play([['new'], [stranger()]], 0);
    expect(pool.players.get('new')?.newcomer).toBeNull();
  });

  it('do not take a known player for a new account, nor a newcomer with mixed results', () => {
    const pool = new Watched();
    for (let i = 0; i < 20; i++) pool.play([['known'], [stranger()]], 0);
    pool.play([['mixed'], [stranger()]], 0, { before: [[start], [known]] });
    for (let i = 0; i < 19; i++) pool.play([['mixed'], [stranger()]], i % 2);
    expect(pool.found.filter(({ kind }) => kind === 'newcomer')).toEqual([]);
  });

  it('find losses on purpose between wins from a rating that is too low', () => {
    const pool = new Watched();
    for (const part of [0, 1, 0, 1, 0])
      for (let i = 0; i < 8; i++) pool.play([['ann'], [stranger()]], part === 0 ? 1 : 0);
    const [signal] = pool.found;
    expect(signal).toMatchObject({ kind: 'thrown', players: ['ann'] });
    expect(signal?.pro[0]?.params).toMatchObject({ longest: 8 });
  });

  it('stay silent about results that alternate', () => {
    const pool = new Watched();
    for (let i = 0; i < 200; i++) pool.play([['ann'], [stranger()]], i % 2);
    expect(pool.found).toEqual([]);
  });

  it.each([
    ['one feeds the other', () => 0],
    ['they take turns', (i: number) => i % 2],
  ])('find a pair that meets too often: %s', (_, winner) => {
    const pool = new Watched();
    for (let i = 0; i < 30; i++) {
      pool.play([['ann'], ['ben']], winner(i));
      for (const id of ['ann', 'ben']) pool.play([[id], [stranger()]], i % 3 === 0 ? 0 : 1);
    }
    const pairs = pool.found.filter(({ kind }) => kind === 'collusion');
    expect(pairs[0]).toMatchObject({ players: ['ann', 'ben'] });
    // Both remember the other; one signal a match.
    expect(new Set(pairs.map(({ matchId }) => matchId)).size).toBe(pairs.length);
  });

  it('stay silent about a pair that only meets, however often', () => {
    const pool = new Watched();
    const random = seededRandom(3);
    for (let i = 0; i < 300; i++) pool.play([['ann'], ['ben']], Number(random() < 0.5));
    expect(pool.found.filter(({ kind }) => kind === 'collusion')).toEqual([]);
  });

  it('find a server of chance, and one that favours a team; not one that fits', () => {
    const pool = new Watched();
    const random = seededRandom(5);
    const chances = [0.8, 0.2];
    for (let i = 0; i < 200; i++) {
      const play = (server: string, winner: number): unknown =>
        pool.play([[stranger()], [stranger()]], winner, { server, chances });
      play('chance', Number(random() < 0.5));
      play('reversed', Number(random() < 0.8));
      play('fits', Number(random() < 0.2));
      pool.play([[stranger()], [stranger()]], Number(random() < 0.2), { server: 'first' });
    }
    const flaws = new Map(
      pool.found.map(({ server, pro }) => [
        server,
        pro.find(({ code }) => code === 'integrity.server-flaw')?.params,
      ]),
    );
    expect([...flaws.keys()].toSorted()).toEqual(['chance', 'first', 'reversed']);
    expect(flaws.get('reversed')).toMatchObject({ flaw: 'reversed' });
    expect(flaws.get('first')).toMatchObject({ flaw: 'first-team' });
  });

  it('count no match that was judged', () => {
    const closed = { kind: 'thrown', subject: 'ann', through: 40 } as const;
    const pool = new Watched([closed]);
    const lose = (): unknown => pool.play([['ann'], [stranger()]], 1);
    for (let i = 0; i < 40; i++) lose();
    expect(pool.found).toEqual([]);
    expect(pool.players.get('ann')?.thrown.evidence.matches).toBe(0);
    for (let i = 0; i < 40; i++) lose();
    expect(pool.found[0]).toMatchObject({ kind: 'thrown' });
  });

  it('remember a bounded number of opponents, those who are met again', () => {
    const pool = new Watched();
    for (let i = 0; i < 50; i++) {
      pool.play([['ann'], [stranger()]], i % 2);
      if (i % 4 === 0) pool.play([['ann'], ['ben']], i % 2);
    }
    const opponents = pool.players.get('ann')?.opponents ?? [];
    expect(opponents).toHaveLength(mostOpponents);
    expect(opponents.find(({ playerId }) => playerId === 'ben')?.meetings).toBe(13);
    // Work in large matches does not grow with the pairs.
    pool.play([Array.from({ length: 20 }, stranger), ['cid', ...Array.from({ length: 19 }, stranger)]], 0);
    expect(pool.players.get('cid')?.opponents).toEqual([]);
  });
});
