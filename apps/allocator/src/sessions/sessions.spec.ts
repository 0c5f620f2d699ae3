import type { ReceivedResult, ResultReceived } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { Sessions, type SessionsStore } from './sessions.js';

const server = { serverId: 's1', incarnation: 1 };
const body = {
  winner: 0,
  players: [{ playerId: 'ann', habits: { device: 'd-1' } }, { playerId: 'ben' }],
};

function sessionsOf(store: Partial<SessionsStore>, note: (...told: unknown[]) => void = () => undefined) {
  return new Sessions(
    store as SessionsStore,
    { wake: () => undefined, wait: () => Promise.resolve() },
    { now: () => 5 },
    {
      make: (prefix) => prefix,
      derive: (prefix) => prefix,
      fingerprint: (value) => JSON.stringify(value),
    },
    () => undefined,
    {
      note(...told) {
        note(...told);
        return Promise.resolve();
      },
    },
  );
}

/** Reports a result to a store with one answer. */
async function reported(answer: ResultReceived, habits = { device: 'd-1' }, over: object = {}) {
  const received: ReceivedResult[] = [];
  const noted: unknown[] = [];
  const store: Pick<SessionsStore, 'receive'> = {
    receive(_sessionId, _server, result) {
      received.push(result);
      return Promise.resolve(answer);
    },
  };
  const sessions = sessionsOf(store, (...told) => noted.push(told));
  const [ann = { playerId: 'ann', habits }, ben = { playerId: 'ben' }] = body.players;
  const said = await sessions
    .report('ses_1', server, { ...body, ...over, players: [{ ...ann, habits }, ben] })
    .catch((error: unknown) => error);
  return { said, noted, received };
}

describe('a result that makes no sense', () => {
  it('is refused with each fault, and what would be right', async () => {
    const faults = [
      { path: 'players.0.leftAt', message: 'must be at or after joinedAt (9), not 8' },
      { path: 'scores', message: 'must have one value for each of the 2 teams, not 3' },
    ];
    const { said } = await reported({ outcome: 'senseless', faults });
    expect(said).toMatchObject({
      code: 'result-invalid',
      message:
        '`players.0.leftAt`: must be at or after joinedAt (9), not 8 (and 1 more, see errors). The session stays open: report the right result.',
      facts: { errors: faults },
    });
  });
});

describe('a result with another number of teams', () => {
  it.each([
    ['a winner', {}, 'The match has 4 teams: send `ranks`, one for each team, instead of `winner`.'],
    ['two ranks', { winner: undefined, ranks: [1, 2] }, 'The match has 4 teams; the result has 2.'],
  ])('says what to send instead of %s', async (_what, over, message) => {
    const { said } = await reported({ outcome: 'wrong-teams', teams: 4 }, undefined, over);
    expect(said).toMatchObject({ code: 'result-invalid', message, facts: { teams: 4 } });
  });
});

describe('the habits in a result of a session', () => {
  it.each(['counted', 'again'] as const)(
    'are noted, and are not stored with a result that is %s',
    async (outcome) => {
      const { said, noted, received } = await reported({ outcome, matchId: 'mat_1' });
      expect(said).toEqual({ matchId: 'mat_1', counted: outcome === 'counted' });
      expect(noted).toEqual([['mat_1', { ann: { device: 'd-1' } }, 5]]);
      expect(JSON.stringify(received)).not.toContain('d-1');
      // A repeat with other habits is the same result.
      const other = await reported({ outcome, matchId: 'mat_1' }, { device: 'd-2' });
      expect(other.received[0]?.digest).toBe(received[0]?.digest);
    },
  );

  it('are dropped with a result that does not count', async () => {
    const { said, noted } = await reported({ outcome: 'contradicts', matchId: 'mat_1' });
    expect(said).toMatchObject({ code: 'result-contradicts' });
    expect(noted).toEqual([]);
  });
});

describe('a match that an operator ends', () => {
  it.each([
    ['rated', 'The match is rated. A match that has a result is declared void: POST /v1/results/m1/void.'],
    ['void', 'The match is void already.'],
    ['abandoned', 'The match is abandoned already.'],
  ] as const)('is told what is right when it is %s', async (state, words) => {
    const sessions = sessionsOf({ endMatch: async () => ({ outcome: 'over', state }) });
    const request = { by: 'olga', reason: 'hangs', as: 'void', penalties: 'drop' } as const;
    await expect(sessions.end('m1', request)).rejects.toMatchObject({ code: 'match-over', message: words });
  });
});
