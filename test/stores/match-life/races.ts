import fc from 'fast-check';
import { it } from 'vitest';
import { alone, checkMoments, onServers, placed, played, type Moment, type RaceOptions } from './moments.js';
import { lifeServers, type LifeRequest } from './requests.js';
import type { CreateMatchLife } from '../match-life-stores.js';

const matchId = fc.constantFrom('live 0', 'live 0', 'live 1', 'newest', 'late 0', 'late 1');
const serverId = fc.constantFrom(...lifeServers.keys());
const about = <Do extends string>(...what: Do[]) => fc.record({ do: fc.constantFrom(...what), matchId });

/** Requests that two callers may send concurrently. */
const request: fc.Arbitrary<LifeRequest> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('form' as const),
      matchId: fc.constantFrom('new', 'new', 'newest'),
    }),
  },
  { weight: 6, arbitrary: about('place') },
  { weight: 7, arbitrary: about('create') },
  { weight: 3, arbitrary: about('refuse') },
  { weight: 4, arbitrary: about('rate') },
  { weight: 2, arbitrary: about('void') },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      matchId,
      winner: fc.constantFrom(0 as const, 1 as const),
      leaver: fc.boolean(),
      back: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('call off' as const),
      matchId,
      remake: fc.boolean(),
      blame: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('leave match' as const), matchId, nth: fc.nat({ max: 1 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('drain' as const, 'undrain' as const, 'leave' as const),
      serverId,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('withdraw unanswered', 'lose silent', 'lose overdue', 'give up'),
    }) as fc.Arbitrary<LifeRequest>,
  },
);

const calm: fc.Arbitrary<LifeRequest> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('register' as const), serverId, resume: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('heartbeat' as const),
      serverId,
      names: fc.constantFrom('all' as const, 'all' as const, 'none' as const),
    }),
  },
  { weight: 1, arbitrary: about('begin') },
);

const pauseMs = fc.constantFrom(0, 0, 1, 1_000, 1_000, 6_000, 11_000, 61_000, 121_000);
const report = { do: 'report', matchId: 'newest', winner: 0, back: 0 } as const;

const moments: fc.Arbitrary<readonly Moment[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ pauseMs, requests: fc.tuple(request) }).map((moment) => [moment]),
  },
  {
    weight: 6,
    arbitrary: fc.record({ pauseMs, requests: fc.tuple(request, request) }).map((moment) => [moment]),
  },
  // Two callers about the same match: most races are.
  {
    weight: 4,
    arbitrary: fc
      .record({ pauseMs, requests: fc.tuple(request, request), matchId })
      .map(({ requests, matchId: id, ...moment }) => [
        {
          ...moment,
          requests: requests.map((each) => ('matchId' in each ? { ...each, matchId: id } : each)),
        },
      ]),
  },
  { weight: 3, arbitrary: fc.record({ pauseMs, requests: fc.tuple(calm) }).map((moment) => [moment]) },
  // What takes several steps: a match that looks for a server, is played, is over.
  { weight: 4, arbitrary: fc.constant(placed) },
  { weight: 5, arbitrary: fc.constant(played) },
  {
    weight: 4,
    arbitrary: fc.boolean().map((leaver) => [...played, ...alone({ ...report, leaver })]),
  },
  {
    weight: 3,
    arbitrary: fc.constant(onServers((server) => ({ do: 'register', serverId: server, resume: true }))),
  },
);

/**
 * Sends random requests, some of them concurrently, to stores, and compares them with the model of a match's life.
 */
export function describeMatchLifeRaces(create: CreateMatchLife, options: RaceOptions = {}): void {
  it(
    'move every match through its states as the model does, in any order and with two concurrent callers',
    { timeout: options.timeoutMs ?? 60_000 },
    () => checkMoments(create, moments, options.runs ?? 100),
  );
}
