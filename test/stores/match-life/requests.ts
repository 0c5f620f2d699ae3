import type { MatchLifeStores } from '../match-life-stores.js';
import type { CommandView, MatchLifeView, SessionView } from './view.js';
import type { ServerIdentity } from '@muster/domain';
import { sendOfBackfill, type BackfillCall } from './backfill-requests.js';
import { matchLimitMs, placementTimeouts } from './view.js';
import { aFormedMatch, aResult, aServer, ticketOf } from './fixtures.js';

/** A request to the stores as data. Requests about a session mean the newest one of the match. */
export type LifeRequest =
  | { readonly do: 'register'; readonly serverId: string; readonly resume: boolean }
  | { readonly do: 'heartbeat'; readonly serverId: string; readonly names: 'all' | 'none' }
  | { readonly do: 'drain' | 'undrain' | 'leave'; readonly serverId: string }
  | { readonly do: 'form' | 'begin' | 'place' | 'rate' | 'void'; readonly matchId: string }
  | { readonly do: 'leave match'; readonly matchId: string; readonly nth: number }
  | { readonly do: 'create' | 'refuse'; readonly matchId: string }
  | {
      readonly do: 'report';
      readonly matchId: string;
      readonly winner: 0 | 1;
      readonly leaver: boolean;
      /** Which session of the match, counted from the newest. */
      readonly back: number;
    }
  | { readonly do: 'call off'; readonly matchId: string; readonly remake: boolean; readonly blame: boolean }
  | { readonly do: 'withdraw unanswered' | 'lose silent' | 'lose overdue' | 'give up' }
  | BackfillCall;

/** Players are few, so that matches compete for them. */
const pairs: readonly (readonly [string, string])[] = [
  ['ann', 'bob'],
  ['cid', 'dan'],
  ['bob', 'cid'],
  ['ann', 'dan'],
  ['ann', 'cid'],
  ['bob', 'dan'],
];

/** The possible servers, with their slots. */
export const lifeServers: ReadonlyMap<string, number> = new Map([
  ['s1', 1],
  ['s2', 2],
]);

/** The players of the match `m<number>`. */
export function playersOf(matchId: string): readonly string[] {
  return pairs[Number(matchId.slice(1)) % pairs.length] ?? [];
}
const firstOf = (matchId: string): string => playersOf(matchId)[0] ?? '';

/** The answer to a request: its outcome, and the ids in it. */
export interface LifeAnswer {
  readonly outcome: string;
  /** Servers, sessions or matches, depending on the request. */
  readonly ids?: readonly string[];
}

/** The incarnations of the registered servers. */
export type Registrations = Map<string, number>;

/** It may name an unknown session. */
const nobody: SessionView = { sessionId: 'none', matchId: '', serverId: 'none', ordinal: 0, state: 'lost' };

export function sessionOf(view: MatchLifeView, matchId: string, back = 0): SessionView {
  return view.sessions.filter((session) => session.matchId === matchId).at(-1 - back) ?? nobody;
}

/**
 * Sends a request.
 *
 * @param view the content of the stores just before: the sessions and commands that a server would know
 */
export function send(
  stores: MatchLifeStores,
  registrations: Registrations,
  view: MatchLifeView,
  request: LifeRequest,
  now: number,
): Promise<LifeAnswer> {
  const identityOf = (serverId: string) => ({ serverId, incarnation: registrations.get(serverId) ?? 0 });
  switch (request.do) {
    case 'register':
    case 'heartbeat':
    case 'drain':
    case 'undrain':
    case 'leave':
      return sendOfServer(stores, registrations, view, request, now);
    case 'create':
    case 'refuse':
    case 'report':
    case 'call off':
      return sendOfSession(stores, identityOf, view, request, now);
    case 'form':
    case 'begin':
    case 'place':
    case 'rate':
    case 'void':
    case 'leave match':
      return sendOfMatch(stores, request, now);
    case 'withdraw unanswered':
    case 'lose silent':
    case 'lose overdue':
    case 'give up':
      return sweep(stores, request.do, now);
    default: {
      const { sessionId, serverId } = sessionOf(view, 'matchId' in request ? request.matchId : '');
      const host = { sessionId, server: identityOf(serverId) };
      return sendOfBackfill(stores, host, identityOf, view, request, now);
    }
  }
}

type Of<Do extends LifeRequest['do']> = Extract<LifeRequest, { readonly do: Do }>;

async function sendOfServer(
  { allocator }: MatchLifeStores,
  registrations: Registrations,
  view: MatchLifeView,
  request: Of<'register' | 'heartbeat' | 'drain' | 'undrain' | 'leave'>,
  now: number,
): Promise<LifeAnswer> {
  const { serverId } = request;
  const own = view.sessions.filter((each) => each.serverId === serverId);
  switch (request.do) {
    case 'register': {
      const slots = lifeServers.get(serverId) ?? 1;
      const live = own.filter(({ state }) => state === 'live').map(({ sessionId }) => sessionId);
      const registration = aServer(serverId, { slots, resume: request.resume ? live : [] });
      const { incarnation, resumed } = await allocator.fleet.register(registration, now);
      registrations.set(serverId, incarnation);
      return { outcome: 'registered', ids: resumed };
    }
    case 'heartbeat': {
      const server = { serverId, incarnation: registrations.get(serverId) ?? 0 };
      const sessions = request.names === 'all' ? own.map(({ sessionId }) => sessionId) : [];
      const before = now - placementTimeouts.silenceMs;
      const standing = await allocator.fleet.heartbeat(server, { cpuLoad: 0, sessions }, before, now);
      return { outcome: standing?.state ?? 'none' };
    }
    case 'drain':
      return { outcome: (await allocator.fleet.drain(serverId))?.state ?? 'none' };
    case 'undrain':
      return { outcome: (await allocator.fleet.undrain(serverId))?.state ?? 'none' };
    case 'leave':
      return { outcome: (await allocator.fleet.leave(serverId, now))?.state ?? 'none' };
  }
}

async function sendOfMatch(
  stores: MatchLifeStores,
  request: Of<'form' | 'begin' | 'place' | 'rate' | 'void' | 'leave match'>,
  now: number,
): Promise<LifeAnswer> {
  const { matchId } = request;
  switch (request.do) {
    case 'form':
      return stores.form(aFormedMatch(matchId, playersOf(matchId), { formedAt: now }));
    case 'begin':
      await stores.allocator.placement.begin(matchId, now);
      return { outcome: 'begun' };
    case 'place': {
      const placed = await stores.allocator.placement.place(matchId, placementTimeouts, now);
      return placed.outcome === 'reserved'
        ? { outcome: placed.outcome, ids: [placed.serverId, placed.sessionId] }
        : { outcome: placed.outcome };
    }
    case 'rate':
      return { outcome: await stores.rateMatch(matchId, now) };
    case 'void':
      return { outcome: await stores.voidMatch(matchId, now) };
    case 'leave match': {
      const player = playersOf(matchId)[request.nth] ?? '';
      return stores.allocator.placement.leaveUnplaced(matchId, ticketOf(player), placementTimeouts, now);
    }
  }
}

async function sendOfSession(
  { allocator }: MatchLifeStores,
  identityOf: (serverId: string) => ServerIdentity,
  view: MatchLifeView,
  request: Of<'create' | 'refuse' | 'report' | 'call off'>,
  now: number,
): Promise<LifeAnswer> {
  const { matchId } = request;
  const { sessionId, serverId } = sessionOf(view, matchId, request.do === 'report' ? request.back : 0);
  const server = identityOf(serverId);
  const isOrder = (each: CommandView): boolean =>
    each.sessionId === sessionId && each.kind === 'create-session';
  const seq = view.commands.find(isOrder)?.seq ?? 0;
  switch (request.do) {
    case 'create':
      return allocator.commands.answer(server, seq, { status: 'done' }, now);
    case 'refuse':
      return allocator.commands.answer(server, seq, { status: 'refused', reason: 'full' }, now);
    case 'report': {
      const leavers = request.leaver ? [firstOf(matchId)] : [];
      return allocator.sessions.receive(
        sessionId,
        server,
        aResult(request.winner === 0 ? [1, 2] : [2, 1], leavers),
        now,
      );
    }
    case 'call off': {
      const noShows = request.blame ? [firstOf(matchId)] : [];
      const calledOff = { reason: 'no map', noShows, leavers: [], remake: request.remake };
      return allocator.sessions.callOff(sessionId, server, calledOff, now);
    }
  }
}

async function sweep(
  { allocator }: MatchLifeStores,
  what: Of<'withdraw unanswered' | 'lose silent' | 'lose overdue' | 'give up'>['do'],
  now: number,
): Promise<LifeAnswer> {
  const limit = 50;
  switch (what) {
    case 'withdraw unanswered':
      return { outcome: 'swept', ids: await allocator.sessions.withdrawUnanswered(now, limit) };
    case 'lose silent':
      return { outcome: 'swept', ids: await allocator.silence.loseSilent(placementTimeouts, now, limit) };
    case 'lose overdue':
      return { outcome: 'swept', ids: await allocator.sessions.loseOverdue(now - matchLimitMs, now, limit) };
    case 'give up':
      return { outcome: 'swept', ids: await allocator.placement.giveUp(now, limit) };
  }
}
