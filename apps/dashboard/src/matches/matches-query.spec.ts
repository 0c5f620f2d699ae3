import { describe, expect, it } from 'vitest';
import { queryOf } from './matches-query.js';

const now = Date.parse('2026-11-27T06:00:00Z');
const yesterday = '2026-11-26T06:00:00.000Z';

describe('a list of matches', () => {
  it('asks for what the address says', () => {
    expect(queryOf({ state: 'rated', playerId: 'ann', cursor: '1.mat_1', other: 'x' }, now)).toEqual({
      query: { limit: 50, state: 'rated', playerId: 'ann', cursor: '1.mat_1' },
      isOfLastDay: false,
      isOfEnded: false,
    });
  });

  it('asks for a day, where the API needs a range', () => {
    expect(queryOf({ serverId: 'eu-1' }, now)).toEqual({
      query: { limit: 50, serverId: 'eu-1', from: yesterday },
      isOfLastDay: true,
      isOfEnded: true,
    });
  });

  it('keeps a range that is given', () => {
    const from = '2026-11-01T00:00:00.000Z';
    expect(queryOf({ map: 'dust', from }, now)).toMatchObject({ query: { from }, isOfLastDay: false });
    expect(queryOf({ to: from }, now)).toMatchObject({ query: { to: from }, isOfEnded: true });
  });
});
