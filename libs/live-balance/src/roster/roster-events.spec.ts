import { describe, expect, it } from 'vitest';
import { afterEvent, type RosterEvent } from './roster-events.js';
import type { Roster } from './roster.js';

const roster: Roster = {
  teams: 2,
  secondsLeft: null,
  players: [
    { playerId: 'ann', team: 0, rating: 5, alive: true, points: 3, moved: true },
    { playerId: 'ben', team: 1, rating: 4, alive: false },
  ],
};
const [ann, ben] = roster.players;

describe('afterEvent', () => {
  it.each<[string, RosterEvent, Partial<Roster>]>([
    [
      'adds a newcomer to the roster, alive',
      { kind: 'join', playerId: 'cat', team: null, rating: 2, partyId: 'p' },
      { players: [ann!, ben!, { playerId: 'cat', team: null, rating: 2, partyId: 'p', alive: true }] },
    ],
    [
      'keeps the known facts of a player who joins again',
      { kind: 'join', playerId: 'ann', team: 1, rating: 6 },
      { players: [ben!, { ...ann!, team: 1, rating: 6 }] },
    ],
    ['removes a player who leaves', { kind: 'leave', playerId: 'ann' }, { players: [ben!] }],
    ['records a death', { kind: 'death', playerId: 'ann' }, { players: [{ ...ann!, alive: false }, ben!] }],
    ['records a respawn', { kind: 'spawn', playerId: 'ben' }, { players: [ann!, { ...ben!, alive: true }] }],
    [
      'records a change of team',
      { kind: 'team', playerId: 'ann', team: null },
      { players: [{ ...ann!, team: null }, ben!] },
    ],
    [
      'notes points',
      { kind: 'score', playerId: 'ben', points: 9 },
      { players: [ann!, { ...ben!, points: 9 }] },
    ],
    ['records the clock', { kind: 'clock', secondsLeft: 30 }, { secondsLeft: 30 }],
    ['revives all when a round begins', { kind: 'round' }, { players: [ann!, { ...ben!, alive: true }] }],
    ['ignores an unknown player', { kind: 'death', playerId: 'zoe' }, {}],
  ])('%s', (_, event, change) => {
    expect(afterEvent(roster, event)).toEqual({ ...roster, ...change });
  });

  it('has a player who joins again count what is said then, also by side', () => {
    const sided: Roster = {
      teams: 2,
      players: [{ playerId: 'ann', team: 0, rating: 5, lead: 2, points: 3 }],
    };
    const join: RosterEvent = { kind: 'join', playerId: 'ann', team: 1, rating: 6 };
    const [again, better] = [join, { ...join, lead: 1 }].map((event) => afterEvent(sided, event).players[0]);

    expect(again?.lead).toBeUndefined();
    expect(better).toMatchObject({ rating: 6, lead: 1, points: 3 });
  });
});
