import fc from 'fast-check';
import { it } from 'vitest';
import { parties } from './backfill-requests.js';
import { alone, checkMoments, onServers, played, type Moment, type RaceOptions } from './moments.js';
import type { LifeRequest } from './requests.js';
import type { CreateMatchLife } from '../match-life-stores.js';

const matchId = fc.constantFrom('live 0', 'live 0', 'live 0', 'live 0', 'live 1', 'late 0');
const nth = fc.constantFrom(0, 0, 0, 1);
const taken = fc.constantFrom('taken 0', 'taken 0', 'taken 1', 'taken 2');
const ordered = fc.constantFrom('ordered 0', 'ordered 0', 'ordered 1', 'ordered 2');
const leaver = fc.constantFrom(null, null, '0', '1', '2', '3', 'nobody');

const ask: fc.Arbitrary<LifeRequest> = fc.record({
  do: fc.constant('ask' as const),
  matchId,
  nth,
  team: fc.constantFrom(0, 0, 0, 1, 2),
  seats: fc.constantFrom(1, 1, 2),
  leaver,
});
const take: fc.Arbitrary<LifeRequest> = fc.record({
  do: fc.constant('take seats' as const),
  matchId,
  nth,
  party: fc.nat({ max: parties.length - 1 }),
  attempt: fc.constantFrom(0, 0, 1),
});
const end: fc.Arbitrary<LifeRequest> = fc.oneof(
  fc.record({
    do: fc.constant('report' as const),
    matchId,
    winner: fc.constantFrom(0 as const, 1 as const),
    leaver: fc.boolean(),
    back: fc.constant(0),
  }),
  fc.record({
    do: fc.constant('call off' as const),
    matchId,
    remake: fc.boolean(),
    blame: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('rate' as const, 'void' as const), matchId }),
);

/** Requests that two callers may send at once. */
const request: fc.Arbitrary<LifeRequest> = fc.oneof(
  { weight: 6, arbitrary: ask },
  { weight: 8, arbitrary: take },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw backfill' as const), matchId, nth }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('order seats' as const), proposalId: taken }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('let in' as const, 'turn away' as const),
      proposalId: ordered,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('end backfills' as const, 'withdraw seats' as const) }),
  },
  { weight: 2, arbitrary: end },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('lose silent' as const, 'lose overdue' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('form' as const), matchId: fc.constant('new') }) },
);

const pauseMs = fc.constantFrom(0, 0, 1, 1_000, 1_000, 5_000, 6_000, 30_000);

/** Every server is there, an earlier match is over, and a new one is played. */
const renewed: readonly Moment[] = [
  ...onServers((server) => ({ do: 'register', serverId: server, resume: true })),
  ...alone(
    { do: 'rate', matchId: 'live 0' },
    { do: 'call off', matchId: 'live 0', remake: false, blame: false },
  ),
  ...played,
];

/** A new match that is played asks for one or two players, and a ticket takes seats. */
const filled = fc
  .record({ seats: fc.constantFrom(1, 2), party: fc.nat({ max: parties.length - 1 }) })
  .map(({ seats, party }) => [
    ...renewed,
    ...alone(
      { do: 'ask', matchId: 'newest', nth: 0, team: 0, seats, leaver: seats === 2 ? '0' : null },
      { do: 'take seats', matchId: 'newest', nth: 0, party, attempt: 0 },
    ),
  ]);

const moments: fc.Arbitrary<readonly Moment[]> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pauseMs, requests: fc.tuple(request) }).map((moment) => [moment]) },
  {
    weight: 6,
    arbitrary: fc.record({ pauseMs, requests: fc.tuple(request, request) }).map((moment) => [moment]),
  },
  // The same request twice at once.
  {
    weight: 3,
    arbitrary: fc
      .record({ pauseMs, request })
      .map(({ request: each, ...moment }) => [{ ...moment, requests: [each, each] }]),
  },
  // Two callers about the same match: most races are.
  {
    weight: 6,
    arbitrary: fc
      .record({ pauseMs, requests: fc.tuple(request, request), matchId })
      .map(({ requests, matchId: id, ...moment }) => [
        {
          ...moment,
          requests: requests.map((each) =>
            'matchId' in each && each.do !== 'form' ? { ...each, matchId: id } : each,
          ),
        },
      ]),
  },
  { weight: 1, arbitrary: fc.constant(played) },
  { weight: 3, arbitrary: fc.constant(renewed) },
  { weight: 5, arbitrary: filled },
  // What follows when seats are taken.
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('let in' as const, 'turn away' as const)
      .map((how) =>
        alone({ do: 'order seats', proposalId: 'taken 0' }, { do: how, proposalId: 'ordered 0' }),
      ),
  },
  // A server that does not answer in time, or at the last moment.
  {
    weight: 3,
    arbitrary: fc.constantFrom('let in' as const, 'turn away' as const, null).map((how) => [
      ...alone({ do: 'order seats', proposalId: 'taken 0' }),
      {
        pauseMs: 6_000,
        requests: [
          { do: 'withdraw seats' as const },
          ...(how === null ? [] : [{ do: how, proposalId: 'ordered 0' }]),
        ],
      },
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.constant(onServers((server) => ({ do: 'register', serverId: server, resume: true }))),
  },
);

/**
 * Sends random requests for players, seats and answers, some of them two at once, to stores, and compares these with the model.
 */
export function describeBackfillRaces(create: CreateMatchLife, options: RaceOptions = {}): void {
  it(
    'open, fill and close backfills as the model does, in any order and two callers at once',
    { timeout: options.timeoutMs ?? 60_000 },
    () => checkMoments(create, moments, options.runs ?? 100),
  );
}
