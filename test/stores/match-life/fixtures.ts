import { verbatim, type FormedMatch, type ReceivedResult, type ServerRegistration } from '@muster/domain';
import { testTime } from '@muster/testing';

/** A server with one slot by default. */
export function aServer(serverId: string, over: Partial<ServerRegistration> = {}): ServerRegistration {
  return {
    serverId,
    region: 'eu',
    build: 'b1',
    host: `${serverId}.example`,
    port: 7_777,
    slots: 1,
    resume: [],
    ...over,
  };
}

/** Rules with two places a team, so that a match of two can be backfilled. */
const rules = {
  mode: 'duel',
  pool: 'ladder',
  teams: 2,
  teamSize: 2,
  placementTimeoutSeconds: 60,
  resumeSeconds: 15,
  backfill: { seconds: 30 },
};

/** A match of two whose rules allow leaving while it has no server. Each player has a separate ticket. */
export function aFormedMatch(
  matchId: string,
  players: readonly string[] = [`${matchId}-a`, `${matchId}-b`],
  over: Partial<FormedMatch> = {},
): FormedMatch {
  return {
    matchId,
    queue: 'duel',
    pool: 'ladder',
    build: 'b1',
    regions: [],
    rules,
    map: null,
    bots: [0, 0],
    split: {
      method: 'trivial',
      because: 'there is one way',
      certificate: { status: 'proven', value: 0, lowerBound: 0, gap: 0, reason: 'exhausted', quantum: 0 },
      sums: [25, 25],
      difference: 0,
      ways: 1,
      ranked: true,
      operations: 1,
      rejected: null,
    },
    why: [verbatim('A test.')],
    prediction: [0.5, 0.5],
    players: players.map((playerId, team) => ({
      playerId,
      team,
      ticketId: ticketOf(playerId),
      mu: 25,
      sigma: 8,
      waitedMs: 1_000,
    })),
    placementTimeoutSeconds: 60,
    proposedAt: testTime,
    formedAt: testTime,
    ...over,
  };
}

export const ticketOf = (playerId: string): string => `ticket of ${playerId}`;

/** A report of some ranks. Equal reports have equal digests. */
export function aResult(ranks: readonly number[] = [1, 2], leavers: readonly string[] = []): ReceivedResult {
  const body = { ranks, leavers };
  return { ranks, leavers, digest: JSON.stringify(body), body };
}
