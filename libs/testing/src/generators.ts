import type { Assignment, Ticket, TicketPlayer } from '@muster/domain';
import fc from 'fast-check';

/** The time of tests: milliseconds since the epoch, far from any real clock. */
export const testTime = 1_700_000_000_000;

/** The fields of a ticket that a test may set. A player may be just an id. */
export type TicketWish = Partial<Omit<Ticket, 'players'>> & {
  readonly players?: readonly (string | TicketPlayer)[];
};

/** A ticket with default values for all other fields. */
export function aTicket(wish: TicketWish = {}): Ticket {
  const { players, ...rest } = wish;
  const ticketId = rest.ticketId ?? 't1';
  return {
    ticketId,
    queue: 'duel',
    build: 'b1',
    latencyMs: {},
    enqueuedAt: testTime,
    expiresAt: testTime + 600_000,
    fingerprint: `request of ${ticketId}`,
    ...rest,
    players: (players ?? [`player of ${ticketId}`]).map((player) =>
      typeof player === 'string' ? { playerId: player, mu: 25, sigma: 25 / 3 } : player,
    ),
  };
}

/** Where the players of a match connect. */
export function anAssignment(matchId: string, more: Partial<Omit<Assignment, 'matchId'>> = {}): Assignment {
  return {
    matchId,
    sessionId: `session of ${matchId}`,
    serverId: 's1',
    region: 'eu',
    host: '127.0.0.1',
    port: 7_777,
    team: 0,
    ...more,
  };
}

/** Parties out of a few players, so that tickets compete for them. */
export function parties(playerIds: readonly string[], maxSize = 2): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.constantFrom(...playerIds), { minLength: 1, maxLength: maxSize });
}

/** Tickets whose every value may vary: for tests that store them and read them back. */
export function tickets(ticketIds: readonly string[], playerIds: readonly string[]): fc.Arbitrary<Ticket> {
  return fc
    .record({
      ticketId: fc.constantFrom(...ticketIds),
      queue: fc.constantFrom('duel', 'duel', 'duel', 'squad'),
      build: fc.constantFrom('b1', 'b2'),
      playerIds: parties(playerIds),
      mu: fc.double({ min: -100, max: 100, noNaN: true }).filter((mu) => !Object.is(mu, -0)),
      sigma: fc.double({ min: 0.01, max: 10, noNaN: true }),
      calibration: fc.option(fc.record({ match: fc.integer({ min: 1, max: 10 }), of: fc.constant(10) })),
      booster: fc.option(fc.record({ division: fc.constantFrom('Gold', 'Ärger "1"'), higher: fc.boolean() })),
      latencyMs: fc.dictionary(fc.constantFrom('eu', 'us'), fc.nat({ max: 300 })),
      enqueuedAt: fc.nat({ max: 5 }).map((offset) => testTime + offset),
      platform: fc.option(fc.constantFrom('pc', 'xbox'), { nil: undefined }),
      crossPlay: fc.constantFrom(undefined, undefined, false as const),
      lives: fc.integer({ min: 1, max: 300 }),
      fingerprint: fc.constantFrom('a', 'a', 'a', 'b'),
    })
    .map(({ playerIds: ids, mu, sigma, calibration, booster, platform, crossPlay, lives, ...rest }) => ({
      ...rest,
      ...(crossPlay === false ? { crossPlay } : {}),
      // A plain object, as JSON returns it.
      latencyMs: { ...rest.latencyMs },
      players: ids.map((playerId) => ({
        playerId,
        mu,
        sigma,
        // Plain objects, as above.
        ...(calibration ? { calibration: { ...calibration } } : {}),
        ...(booster ? { booster: { boosterId: 'bst_1', ...booster } } : {}),
        ...(platform === undefined ? {} : { platform }),
      })),
      expiresAt: rest.enqueuedAt + lives,
    }));
}
