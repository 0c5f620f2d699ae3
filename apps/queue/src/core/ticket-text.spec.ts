import { aTicket } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { readTicket, writeTicket } from './ticket-text.js';

const player = { playerId: 'ann', mu: 25, sigma: 8 };
const said = { ticketId: 't', queue: 'q', build: 'b', fingerprint: 'f', enqueuedAt: 1, expiresAt: 2 };

describe('the text of a ticket', () => {
  it('without a platform equals that of releases before platforms', () => {
    const ticket = aTicket({ ...said, players: [player], latencyMs: { eu: 20 } });
    expect(writeTicket(ticket)).toBe('["q","f",1,2,"b",[["ann",25,8]],{"eu":20}]');
    expect(readTicket('t', writeTicket(ticket))).toEqual(ticket);
  });

  it('is ASCII, so that it may be cut between any two bytes', () => {
    const ticket = aTicket({
      ...said,
      players: [player],
      maps: ['Grüner See'],
      attributes: { skin: '★ \ud83d\ude80' },
    });
    expect(writeTicket(ticket)).toMatch(/^[\x20-\x7e]*$/);
    expect(readTicket('t', writeTicket(ticket))).toEqual(ticket);
  });

  it('also holds platforms and a refusal of cross-play', () => {
    const ticket = aTicket({ ...said, players: [{ ...player, platform: 'pc' }], crossPlay: false });
    expect(writeTicket(ticket)).toBe(
      '["q","f",1,2,"b",[["ann",25,8,{"platform":"pc"}]],{},{"crossPlay":false}]',
    );
    expect(readTicket('t', writeTicket(ticket))).toEqual(ticket);
  });
});
