import { describe, expect, it } from 'vitest';
import { sessionPlayers, type KnownPlayer } from './session-players.js';

const player = (playerId: string, ticketId: string | null, name: string | null = null): KnownPlayer => ({
  playerId,
  ticketId,
  name,
  attributes: null,
  mu: 25,
  sigma: 8,
});
const players = [
  player('ann', 'tkt_1', 'Ann ★'),
  player('ben', 'tkt_2'),
  player('cat', 'tkt_1', 'constructor'),
  player('dan', null),
  player('eve', null),
];

describe('what a server is told about the players of a session', () => {
  it('is parties and known names by default, and no ratings', () => {
    expect(sessionPlayers(players)).toEqual({
      parties: [['ann', 'cat']],
      names: { ann: 'Ann ★', cat: 'constructor' },
    });
  });

  it('is the document of each ticket, with its players', () => {
    const attributes = { skin: 'red' };
    const told = sessionPlayers(
      players.map((each) => (each.playerId === 'cat' ? { ...each, attributes } : each)),
      [],
    );
    expect(told).toEqual({ attributes: [{ playerIds: ['ann', 'cat'], attributes }] });
  });

  it('is what the rules allow', () => {
    expect(sessionPlayers(players, [])).toEqual({});
    expect(sessionPlayers(players.slice(0, 1), ['ratings'])).toEqual({
      ratings: { ann: { mu: 25, sigma: 8 } },
    });
  });
});
