import type { SeatFill, ServerIdentity } from '@muster/domain';
import type { MatchLifeStores } from '../match-life-stores.js';
import { placementTimeouts, type MatchLifeView } from './view.js';
import type { LifeAnswer } from './requests.js';

/** A request about a backfill as data. Requests about a session mean the newest one of the match. */
export type BackfillCall =
  | {
      readonly do: 'ask';
      readonly matchId: string;
      /** Which backfill of the match. */
      readonly nth: number;
      readonly team: number;
      readonly seats: number;
      readonly leaver: string | null;
    }
  | { readonly do: 'withdraw backfill'; readonly matchId: string; readonly nth: number }
  | {
      readonly do: 'take seats';
      readonly matchId: string;
      readonly nth: number;
      /** Which of {@link parties}. */
      readonly party: number;
      /** Which claim of its ticket. */
      readonly attempt: number;
    }
  | { readonly do: 'order seats' | 'let in' | 'turn away'; readonly proposalId: string }
  | { readonly do: 'end backfills' | 'withdraw seats' };

/** The players of tickets that take seats. Some of them are in other matches. */
export const parties: readonly (readonly string[])[] = [
  ['eve'],
  ['fay'],
  ['eve', 'fay'],
  ['gus'],
  ['ann'],
  ['gus', 'cid'],
];

/** A claim of a ticket on seats, as its id names it. */
export interface Claim {
  readonly proposalId: string;
  readonly backfillId: string;
  readonly matchId: string;
  readonly ticketId: string;
  readonly playerIds: readonly string[];
}

export const backfillIdOf = (matchId: string, nth: number): string => `${matchId}/${nth}`;
export const proposalIdOf = ({ matchId, nth, party, attempt }: Of<'take seats'>): string =>
  `${backfillIdOf(matchId, nth)}/${party}/${attempt}`;

export function claimOf(proposalId: string): Claim {
  const [matchId = '', nth = '', party = ''] = proposalId.split('/');
  const playerIds = parties[Number(party)] ?? [];
  const ticketId = `late ticket of ${playerIds.join(' and ')}`;
  return { proposalId, backfillId: backfillIdOf(matchId, Number(nth)), matchId, ticketId, playerIds };
}

/** A claim as assignment gets it. */
export function aSeat(proposalId: string): SeatFill {
  const { playerIds, ...claim } = claimOf(proposalId);
  const players = playerIds.map((playerId) => ({ playerId, mu: 26, sigma: 3 }));
  return { ...claim, team: 0, players, waitedMs: 1_234 };
}

export const fingerprintOf = ({ team, seats, leaver }: Of<'ask'>): string =>
  JSON.stringify([team, seats, leaver]);

type Of<Do extends BackfillCall['do']> = Extract<BackfillCall, { readonly do: Do }>;

/**
 * Sends a request.
 *
 * @param host the newest session of the match and its server
 */
export async function sendOfBackfill(
  stores: MatchLifeStores,
  host: { readonly sessionId: string; readonly server: ServerIdentity },
  identityOf: (serverId: string) => ServerIdentity,
  view: MatchLifeView,
  request: BackfillCall,
  now: number,
): Promise<LifeAnswer> {
  const { backfills, commands } = stores.allocator;
  const { sessionId, server } = host;
  switch (request.do) {
    case 'ask': {
      const { matchId, nth, team, seats, leaver } = request;
      const leavers = leaver === null ? [] : [leaver];
      const asked = { backfillId: backfillIdOf(matchId, nth), fingerprint: fingerprintOf(request) };
      return backfills.request(sessionId, server, { ...asked, team, seats, leavers }, now);
    }
    case 'withdraw backfill': {
      const backfillId = backfillIdOf(request.matchId, request.nth);
      return backfills.withdraw(sessionId, backfillId, server.serverId, now);
    }
    case 'take seats':
      return stores.seat(aSeat(proposalIdOf(request)), now);
    case 'order seats': {
      const woken = await backfills.seatFilled(claimOf(request.proposalId), now);
      return { outcome: woken === null ? 'nothing to do' : 'ordered' };
    }
    case 'let in':
    case 'turn away': {
      const order = view.commands.find(({ proposalId }) => proposalId === request.proposalId);
      if (!order) return { outcome: 'unknown' };
      const reply =
        request.do === 'let in'
          ? ({ status: 'done' } as const)
          : ({ status: 'refused', reason: 'full' } as const);
      return commands.answer(identityOf(order.serverId), order.seq, reply, now);
    }
    case 'end backfills':
      return { outcome: 'swept', ids: await backfills.endOverdue(now, 50) };
    case 'withdraw seats':
      return { outcome: 'swept', ids: await backfills.withdrawSeats(now - placementTimeouts.answerMs, 50) };
  }
}
