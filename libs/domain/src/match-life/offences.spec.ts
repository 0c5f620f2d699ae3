import { describe, expect, it } from 'vitest';
import { message } from '../messages/index.js';
import type { MatchOffence } from '../schemas/offences.js';
import { accuse, acquit, type BlamedMatch } from './offences.js';

const at = 1_700_000_000_000;
const match = (players: number, over: Partial<BlamedMatch> = {}): BlamedMatch => ({
  matchId: 'm',
  queue: 'duos',
  blame: [],
  players: Array.from({ length: players }, (_, i) => ({ playerId: `p${i}` })),
  ...over,
});
const named = (...noShows: string[]) => ({ noShows, leavers: [] });
const kinds = ({ jobs }: { jobs: readonly { kind: string }[] }): string[] => jobs.map(({ kind }) => kind);

describe('an outage is nobody’s fault', () => {
  it.each([
    [2, 1, 'conduct'],
    [2, 2, 'lift'],
    [10, 5, 'conduct'],
    [10, 6, 'lift'],
    [3, 2, 'lift'],
    [1, 1, 'lift'],
  ])('of %i players %i are blamed: %s', (players, blamed, expected) => {
    const ids = Array.from({ length: blamed }, (_, i) => `p${i}`);
    const accused = accuse(match(players), named(...ids), at);
    expect(kinds(accused)).toEqual([expected]);
    expect(accused.blame.every(({ lifted }) => lifted === true)).toBe(expected === 'lift');
    if (expected === 'lift')
      expect(accused.jobs[0]).toMatchObject({ why: message('penalty.mass', { blamed, players }) });
  });

  it('counts a player once, and those who were blamed before', () => {
    const before: MatchOffence = { playerId: 'p0', kind: 'left', at: at - 9 };
    const blame = [before];
    expect(kinds(accuse(match(4, { blame }), named('p0', 'p0', 'p1'), at))).toEqual(['conduct']);
    const accused = accuse(match(4, { blame }), named('p1', 'p2'), at);
    expect(accused.jobs).toMatchObject([
      { kind: 'lift', offences: [before, { playerId: 'p1' }, { playerId: 'p2' }] },
    ]);
  });

  it('by the rules of the queue: 1 penalises everybody, 0 nobody', () => {
    expect(kinds(accuse(match(2, { massBlameShare: 1 }), named('p0', 'p1'), at))).toEqual(['conduct']);
    expect(kinds(accuse(match(9, { massBlameShare: 0 }), named('p0'), at))).toEqual(['lift']);
    expect(accuse(match(2), named(), at)).toEqual({ blame: [], jobs: [] });
  });
});

describe('a penalty goes with the fact that it rests on', () => {
  const blame: MatchOffence[] = [
    { playerId: 'p0', kind: 'left', at, backfillId: 'b1' },
    { playerId: 'p1', kind: 'left', at },
    { playerId: 'p2', kind: 'left', at, lifted: true },
  ];
  const why = message('penalty.match-void');

  it('lifts those that are gone, and leaves the others', () => {
    const { blame: left, jobs } = acquit(
      match(4, { blame }),
      why,
      at,
      ({ backfillId }) => backfillId === 'b1',
    );
    expect(left).toEqual(blame.slice(1));
    expect(jobs).toEqual([{ kind: 'lift', matchId: 'm', queue: 'duos', offences: [blame[0]], at, why }]);
  });

  it('says nothing of those that were lifted before', () => {
    const { blame: left, jobs } = acquit(match(4, { blame }), why, at);
    expect(jobs).toMatchObject([{ offences: [{ playerId: 'p0' }, { playerId: 'p1' }] }]);
    expect(acquit(match(4, { blame: left }), why, at)).toEqual({ blame: left, jobs: [] });
  });
});
