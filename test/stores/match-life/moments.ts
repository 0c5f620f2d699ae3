import fc from 'fast-check';
import { expect } from 'vitest';
import { testTime } from '@muster/testing';
import { checkLife, checkSteps } from './invariants.js';
import { LifeModel } from './model.js';
import { NotAllowedByModel } from './model-rows.js';
import { lifeServers, send, type LifeAnswer, type LifeRequest, type Registrations } from './requests.js';
import type { CreateMatchLife, MatchLifeStores } from '../match-life-stores.js';
import { summaryOf, type LifeSummary } from './view.js';

interface Modelled {
  model: LifeModel;
  now: number;
  /** The number of the newest match that was asked for. */
  newest: number;
}

interface Real {
  readonly stores: MatchLifeStores;
  readonly registrations: Registrations;
}

/**
 * What is asked for at once: one request, or two by two callers. Which match it is about is said by where it stands: `new`,
 * `newest`, `live 2` for the third of those that hold their players, or `late 2` for the third newest of all. A leaver is said by
 * their place in the match, and a claim of seats by `taken 2` or `ordered 2`, from the newest.
 */
export interface Moment {
  readonly pauseMs: number;
  readonly requests: readonly LifeRequest[];
}

function aimed(request: LifeRequest, modelled: Modelled): LifeRequest {
  if ('proposalId' in request)
    return { ...request, proposalId: aimedClaim(request.proposalId, modelled.model) };
  if (!('matchId' in request)) return request;
  const about = { ...request, matchId: aimedMatch(request.matchId, modelled) };
  if (about.do !== 'ask' || about.leaver === null) return about;
  const players = modelled.model.playersOf(about.matchId);
  return { ...about, leaver: players[Number(about.leaver)] ?? 'zoe' };
}

/** The claim that is meant by `taken 2` or `ordered 2`. */
function aimedClaim(said: string, model: LifeModel): string {
  const [which, nth] = said.split(' ');
  const claims = which === 'taken' ? model.takenClaims() : model.orderedClaims();
  return claims.toReversed()[Number(nth) % Math.max(1, claims.length)] ?? 'none';
}

function aimedMatch(said: string, modelled: Modelled): string {
  if (said === 'new') modelled.newest += 1;
  const newest = `m${modelled.newest}`;
  const [, which, nth] = /^(live|late) (\d+)$/.exec(said) ?? [];
  if (nth === undefined) return newest;
  const some = which === 'live' ? modelled.model.liveMatches() : modelled.model.allMatches().toReversed();
  return some[Number(nth) % Math.max(1, some.length)] ?? newest;
}

/** Moments one after the other. After each, the stores must hold what the model holds after some order of its requests. */
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

/** @returns the model after an order of the requests that gives these answers and this summary @throws Error if there is none */
function explain(model: LifeModel, taken: readonly Taken[], now: number, summary: LifeSummary): LifeModel {
  const alone = taken.length === 1;
  const steps = taken.map(({ request, target, answer }): Step[] => [
    // A report that precedes the answer is two transactions: others may come between.
    ...(!alone && model.precedesAnswer(request, target)
      ? [(of: LifeModel) => of.takeImplied(target, now)]
      : []),
    (of) => of.take(request, target, answer, now, alone),
  ]);
  const wrong: unknown[] = [];
  for (const order of ordersOf(steps)) {
    const candidate = model.clone();
    try {
      for (const step of order) step(candidate);
      expect(summary).toEqual(candidate.summary());
      return candidate;
    } catch (error) {
      wrong.push(error instanceof NotAllowedByModel ? error.message : error);
    }
  }
  const told = taken.map(({ request, answer }) => `${JSON.stringify(request)} → ${JSON.stringify(answer)}`);
  throw new Error(`${told.join(' & ')}: no order explains it.\n${wrong.map(String).join('\n')}`);
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

/** A moment for each server. */
export const onServers = (what: (serverId: string) => LifeRequest): Moment[] =>
  [...lifeServers.keys()].map((id) => ({ pauseMs: 1, requests: [what(id)] }));

/** A moment for each request. */
export const alone = (...requests: LifeRequest[]): Moment[] =>
  requests.map((each) => ({ pauseMs: 1, requests: [each] }));

const wanted = alone({ do: 'form', matchId: 'new' }, { do: 'begin', matchId: 'newest' });

/** A new match asks for a server. */
export const placed: readonly Moment[] = [...wanted, ...alone({ do: 'place', matchId: 'newest' })];

/** A new match is played, if a slot is free. */
export const played: readonly Moment[] = [
  ...wanted,
  ...onServers((id) => ({ do: 'heartbeat', serverId: id, names: 'all' })),
  ...alone({ do: 'place', matchId: 'newest' }, { do: 'create', matchId: 'newest' }),
];

export interface RaceOptions {
  readonly runs?: number;
  readonly timeoutMs?: number;
}

/** Sends random requests, some of them two at once, to stores, and compares these with the model after each moment. */
export async function checkMoments(
  create: CreateMatchLife,
  moments: fc.Arbitrary<readonly Moment[]>,
  runs: number,
): Promise<void> {
  const commands = fc.commands([moments.map((list) => new Moments(list))], { maxCommands: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const real = { stores: await create(), registrations: new Map<string, number>() };
      const modelled = { model: new LifeModel(), now: testTime, newest: 0 };
      const opening = new Moments(onServers((id) => ({ do: 'register', serverId: id, resume: false })));
      await opening.run(modelled, real);
      await fc.asyncModelRun(() => ({ model: modelled, real }), list);
    }),
    { numRuns: runs },
  );
}
