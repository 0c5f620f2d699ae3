import type { EndpointName } from '@muster/contracts';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { requestOf, take, type Takes } from './take.js';

/** The fields that a command line gives to a call. */
function given(endpoint: EndpointName, args: readonly string[], takes: Takes = {}) {
  const command = new Command('call').exitOverride().configureOutput({ writeErr: () => undefined });
  const read = take(command, endpoint, takes);
  command.parse(args, { from: 'user' });
  return read();
}

describe('the fields of a call', () => {
  it('are arguments for the path, and options for the rest', () => {
    const values = given('closeCase', ['cas_4fb6a88a01', '--verdict', 'cleared', '--note', 'Brothers.']);
    expect(requestOf('closeCase', values)).toEqual({
      params: { caseId: 'cas_4fb6a88a01' },
      query: {},
      body: { verdict: 'cleared', note: 'Brothers.' },
    });
  });

  it('have units: times from now on and back, and durations', () => {
    const now = Date.now();
    const { until } = given('banPlayer', ['ann', '--until', '2h', '--reason', 'r']);
    expect(Math.abs(Number(until) - now - 7_200_000)).toBeLessThan(1_000);
    const { from } = given('listMatches', ['--from', '-24h']);
    expect(Math.abs(Number(from) - now + 86_400_000)).toBeLessThan(1_000);
    expect(given('listMatches', ['--from', '2027-03-01T06:00:00Z'])).toMatchObject({
      from: Date.UTC(2027, 2, 1, 6),
    });
    expect(given('listTickets', ['--older-than', '3m'])).toMatchObject({ olderThanSeconds: 180 });
  });

  it('may be lists, flags, and longer lists than one page', () => {
    expect(given('readLeaderboard', ['ladder', '--players', 'ann,ben'])).toMatchObject({
      players: 'ann,ben',
    });
    const flags = { all: [{ state: 'closed' }, 'closed ones'] } as const;
    expect(given('listCases', ['--all'], { flags })).toMatchObject({ state: 'closed' });
    expect(given('listTickets', ['--limit', '5000'])).toMatchObject({ limit: 5_000 });
  });

  it('have an id of the event where a repeat is to count once', () => {
    const { eventId } = given('setRating', ['ladder', 'ann', '--mu', '3', '--reason', 'r'], {
      without: ['eventId'],
    });
    expect(eventId).toMatch(/^cli-/);
  });

  it.each<[EndpointName, string[], string]>([
    ['readTicket', ['x'], 'Give the id of a ticket, such as tkt_x7Yc0p2n; "muster tickets" lists them.'],
    ['readTicketOf', ['a b'], 'It must start with a letter or digit'],
    ['banPlayer', ['ann', '--until', 'soon', '--reason', 'r'], 'Give a time by ISO 8601'],
    ['cancelTicketAs', ['tkt_x7Yc0p2n'], "required option '--reason <text>' not specified"],
    ['cancelTicketAs', ['tkt_x7Yc0p2n', '--reason', ''], 'It must be text of at least 1 character'],
    ['listTickets', ['--limit', '0'], 'Give a whole number from 1 to 10000'],
    ['listTickets', ['--state', 'lost'], 'Allowed choices are waiting'],
    ['setRating', ['ladder', 'ann', '--mu', 'high', '--reason', 'r'], 'It must be a number, not "high"'],
  ])('of %s are explained where %j does not fit', (endpoint, args, sentence) => {
    expect(() => given(endpoint, args)).toThrow(sentence);
  });
});
