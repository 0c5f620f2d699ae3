import { studyRules, type Trial } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { shownStudy } from './shown-study.js';

const anybody = [{ afterSeconds: 0, limit: null }];
const rules = {
  name: 'duel',
  mode: 'duel',
  pool: 'duel',
  teams: 2,
  teamSize: 1,
  maxPartySize: 1,
  skillWindow: anybody,
  teamGap: anybody,
  latencyLimitMs: anybody,
  ticketTtlSeconds: 60,
  placementTimeoutSeconds: 60,
  version: 1,
};
const ticket = (ticketId: string, enqueuedAt: number, mu: number): Trial['tickets'][number] => ({
  ticket: {
    ticketId,
    queue: 'duel',
    build: 'b1',
    players: [{ playerId: ticketId, mu, sigma: 2 }],
    latencyMs: {},
    enqueuedAt,
    expiresAt: enqueuedAt + 60_000,
    fingerprint: '',
  },
  outcome: 'waiting',
  leftAt: null,
});

describe('what is shown of a study', () => {
  const trial: Trial = {
    tickets: [ticket('ann', 0, 20), ticket('ben', 4_000, 24), ticket('cid', 5_000, 40)],
    from: 0,
    until: 20_000,
    recordedRules: rules,
    inForce: rules,
    tried: { ...rules, skillWindow: [{ afterSeconds: 0, limit: 1 }] },
    tickMs: 1_000,
  };
  const shown = shownStudy(trial, studyRules(trial));

  it('has the table and the words of the command line', () => {
    expect(shown.rows[0]).toEqual(['tickets', '3', '3', '3']);
    expect(shown.rows[1]).toEqual(['  matched', '0', '2', '0']);
    expect(shown.comparedToInForce).toEqual([
      'no ticket finds a match either way',
      '2 tickets would have found none that found one',
    ]);
  });

  it('has the shares of tickets over waits and over leads', () => {
    const { waits, leads } = shown;
    expect(waits.x.at(-1)).toBe(4);
    expect([waits.inForce[0], waits.inForce.at(-1)]).toEqual([1 / 3, 2 / 3]);
    expect(waits.tried.at(-1)).toBe(0);
    expect(leads.inForce.at(-1)).toBe(1);
    expect(leads.x).toHaveLength(101);
  });
});
