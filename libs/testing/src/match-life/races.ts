import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testTime } from '../generators.js';
import { checkLife, checkSteps } from './invariants.js';
import { LifeModel } from './model.js';
import { NotAllowedByModel } from './model-rows.js';
import { lifeServers, send, type LifeAnswer, type LifeRequest, type Registrations } from './requests.js';
import type { CreateMatchLife, MatchLifeStores } from './stores.js';
import { summaryOf, type LifeSummary } from './summary.js';

interface Modelled {
  model: LifeModel;
  now: number;
  /** The number of the newest match that was requested. */
  newest: number;
}

interface Real {
  readonly stores: MatchLifeStores;
  readonly registrations: Registrations;
}

/**
 * The requests of a moment: one, or two by concurrent callers. The match is given by its position: `new`,
 * `newest`, `live 2` for the third of those that hold their players, or `late 2` for the third newest of all.
 */
interface Moment {
  readonly pauseMs: number;
  readonly requests: readonly LifeRequest[];
}

function aimed(request: LifeRequest, modelled: Modelled): LifeRequest {
  if (!('matchId' in request)) return request;
  if (request.matchId === 'new') modelled.newest += 1;
  const newest = `m${modelled.newest}`;
  const [, which, nth] = /^(live|late) (\d+)$/.exec(request.matchId) ?? [];
  if (nth === undefined) return { ...request, matchId: newest };
  const some = which === 'live' ? modelled.model.liveMatches() : modelled.model.allMatches().toReversed();
  return { ...request, matchId: some[Number(nth) % Math.max(1, some.length)] ?? newest };
}

/** Moments in sequence. After each, the stores must hold the model's content after some order of its requests. */
class Moments implements fc.AsyncCommand<Modelled, Real> {
  constructor(private readonly moments: readonly Moment[]) {}

  check(): boolean {
    return true;
  }

  async run(modelled: Modelled, real: Real): Promise<void> {
    for (const moment of this.moments) await happen(modelled, real, moment);
  }

  toString(): string {
    return this.moments
      .map(
        ({ pauseMs, requests }) => `+${pauseMs} ${requests.map((each) => JSON.stringify(each)).join(' & ')}`,
      )
      .join('; ');
  }
}

async function happen(modelled: Modelled, { stores, registrations }: Real, moment: Moment): Promise<void> {
  const now = (modelled.now += moment.pauseMs);
  const requests = moment.requests.map((request) => aimed(request, modelled));
  const before = await stores.view();
  const targets = requests.map((request) => modelled.model.target(request));
  const answers = await Promise.all(
    requests.map((request) => send(stores, registrations, before, request, now)),
  );
  const after = await stores.view();
  checkSteps(before, after);
  checkLife(after);
  const taken = requests.map((request, i) => ({
    request,
    target: targets[i] ?? null,
    answer: answers[i] ?? { outcome: 'none' },
  }));
  modelled.model = explain(modelled.model, taken, now, summaryOf(after));
}

interface Taken {
  readonly request: LifeRequest;
  readonly target: string | null;
  readonly answer: LifeAnswer;
}

type Step = (model: LifeModel) => void;

/**
 * @returns the model after an order of the requests that gives these answers and this summary @throws Error if there is
 *   none
 */
function explain(model: LifeModel, taken: readonly Taken[], now: number, summary: LifeSummary): LifeModel {
  const alone = taken.length === 1;
  const steps = taken.map(({ request, target, answer }): Step[] => [
    // A report that precedes the answer is two transactions: others may come between.
    ...(!alone && model.precedesAnswer(request, target)
      ? [(of: LifeModel) => of.takeImplied(target, now)]
      : []),
    (of) => of.take(request, target, answer, now, alone),
  ]);
  const rejections: unknown[] = [];
  for (const order of ordersOf(steps)) {
    const candidate = model.clone();
    try {
      for (const step of order) step(candidate);
      expect(summary).toEqual(candidate.summary());
      return candidate;
    } catch (error) {
      rejections.push(error instanceof NotAllowedByModel ? error.message : error);
    }
  }
  const trace = taken.map(({ request, answer }) => `${JSON.stringify(request)} → ${JSON.stringify(answer)}`);
  throw new Error(`${trace.join(' & ')}: no order explains it.\n${rejections.map(String).join('\n')}`);
}

/** Every order of steps that keeps the order of each caller. */
function ordersOf(callers: readonly (readonly Step[])[]): Step[][] {
  if (callers.every((steps) => steps.length === 0)) return [[]];
  return callers.flatMap(([first, ...rest], i) =>
    first === undefined
      ? []
      : ordersOf(callers.map((steps, j) => (i === j ? rest : steps))).map((order) => [first, ...order]),
  );
}

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
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('drain' as const, 'leave' as const), serverId }) },
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
const onServers = (what: (serverId: string) => LifeRequest): Moment[] =>
  [...lifeServers.keys()].map((id) => ({ pauseMs: 1, requests: [what(id)] }));
const alone = (...requests: LifeRequest[]): Moment[] =>
  requests.map((each) => ({ pauseMs: 1, requests: [each] }));

const wanted = alone({ do: 'form', matchId: 'new' }, { do: 'begin', matchId: 'newest' });
const played = [
  ...wanted,
  ...onServers((id) => ({ do: 'heartbeat', serverId: id, names: 'all' })),
  ...alone({ do: 'place', matchId: 'newest' }, { do: 'create', matchId: 'newest' }),
];
const report = { do: 'report', matchId: 'newest', winner: 0, back: 0 } as const;

const moments: fc.Arbitrary<Moments> = fc
  .oneof(
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
    // Multi-step requests: a match that awaits a server, is played, is over.
    { weight: 4, arbitrary: fc.constant([...wanted, ...alone({ do: 'place', matchId: 'newest' })]) },
    { weight: 5, arbitrary: fc.constant(played) },
    {
      weight: 4,
      arbitrary: fc.boolean().map((leaver) => [...played, ...alone({ ...report, leaver })]),
    },
    {
      weight: 3,
      arbitrary: fc.constant(onServers((server) => ({ do: 'register', serverId: server, resume: true }))),
    },
  )
  .map((list: readonly Moment[]) => new Moments(list));

/**
 * Sends random requests, some of them concurrently, to stores, and compares them with the model of a match's life.
 *
 * @param name the stores, for the report
 * @param create makes empty stores
 */
export function describeMatchLifeRaces(
  name: string,
  create: CreateMatchLife,
  options: { readonly runs?: number; readonly timeoutMs?: number } = {},
): void {
  it(
    `${name}: move every match through its states as the model does, in any order and with two concurrent callers`,
    { timeout: options.timeoutMs ?? 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands([moments], { maxCommands: 40, size: 'max' }), async (commands) => {
          const made = await create();
          const real = { stores: made.stores, registrations: new Map<string, number>() };
          const modelled = { model: new LifeModel(), now: testTime, newest: 0 };
          try {
            const opening = new Moments(onServers((id) => ({ do: 'register', serverId: id, resume: false })));
            await opening.run(modelled, real);
            await fc.asyncModelRun(() => ({ model: modelled, real }), commands);
          } finally {
            await made.dispose?.();
          }
        }),
        { numRuns: options.runs ?? 100 },
      );
    },
  );
}
