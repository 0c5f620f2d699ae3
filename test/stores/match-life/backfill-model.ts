import {
  backfillIdOf,
  claimOf,
  fingerprintOf,
  proposalIdOf,
  type BackfillCall,
  type Claim,
} from './backfill-requests.js';
import { allow, ModelRows, type ModelBackfill, type ModelPlayer, type ModelSession } from './model-rows.js';
import type { LifeAnswer } from './requests.js';
import { placementTimeouts, type SeatSummary } from './view.js';

type Of<Do extends BackfillCall['do']> = Extract<BackfillCall, { readonly do: Do }>;

const openMs = 30_000;
const teamSize = 2;

/** What a backfill, its seats and the tickets that take them may do, written apart from the decisions; see `LifeModel`. */
export class BackfillModel extends ModelRows {
  /** The claims that took seats. */
  takenClaims(): string[] {
    return [...this.claims.keys()];
  }

  /** The claims that a server was told of. */
  orderedClaims(): string[] {
    return [...this.claims].flatMap(([id, { order }]) => (order === null ? [] : [id]));
  }

  protected takeBackfill(
    request: Exclude<BackfillCall, Of<'end backfills' | 'withdraw seats'>>,
    session: ModelSession | undefined,
    answer: LifeAnswer,
    now: number,
  ): void {
    switch (request.do) {
      case 'ask':
        return allow(answer, session ? this.ask(session, request, now) : 'unknown');
      case 'withdraw backfill':
        return allow(answer, this.withdraw(backfillIdOf(request.matchId, request.nth)));
      case 'take seats':
        return allow(answer, this.takeSeats(claimOf(proposalIdOf(request)), now));
      case 'order seats':
        return allow(answer, this.orderSeats(request.proposalId, now));
      case 'let in':
      case 'turn away':
        return allow(answer, this.answerSeats(request.proposalId, request.do));
    }
  }

  private ask(session: ModelSession, request: Of<'ask'>, now: number): string {
    const { matchId, nth, team, seats, leaver } = request;
    const id = backfillIdOf(matchId, nth);
    const known = this.backfills.get(id);
    if (known) return known.fingerprint === fingerprintOf(request) ? 'again' : 'reused';
    if (session.state !== 'live') return 'withdrawn';
    if (!this.isCurrent(session)) return 'superseded';
    const { players } = this.match(matchId);
    if (leaver !== null && !players.some(({ playerId }) => playerId === leaver)) return 'refused';
    const staying = players.filter(
      (each) => each.team === team && !each.left && each.playerId !== leaver,
    ).length;
    if (team > 1 || staying + this.offered(matchId, team) + seats > teamSize) return 'refused';
    if (leaver !== null) this.depart(matchId, leaver);
    const fingerprint = fingerprintOf(request);
    const backfill: ModelBackfill = {
      matchId,
      team,
      fingerprint,
      seatsLeft: seats,
      state: 'open',
      expiresAt: now + openMs,
    };
    this.backfills.set(id, backfill);
    this.look(id, backfill);
    return 'open';
  }

  /** Seats of a team that backfills offer. */
  private offered(matchId: string, team: number): number {
    return [...this.backfills.values()]
      .filter((each) => each.matchId === matchId && each.team === team && each.state === 'open')
      .reduce((sum, { seatsLeft }) => sum + seatsLeft, 0);
  }

  private depart(matchId: string, playerId: string): void {
    const { players } = this.match(matchId);
    const leaver = players.find((each) => each.playerId === playerId);
    if (!leaver || leaver.left) return;
    leaver.left = true;
    if (this.held.get(playerId) === matchId) this.held.delete(playerId);
    const { ticketId } = leaver;
    if (!players.some((each) => each.ticketId === ticketId && !each.left)) this.tell(matchId, [ticketId]);
  }

  /** The matcher is told to look for players. */
  private look(id: string, { matchId, team, seatsLeft }: ModelBackfill): void {
    const { players } = this.match(matchId);
    const names = (of: number): string =>
      players
        .filter((each) => each.team === of && !each.left)
        .map(({ playerId }) => playerId)
        .sort()
        .join('+');
    this.wanted.push(`${id}: ${seatsLeft} of team ${team} for ${names(0)} v ${names(1)}`);
  }

  private withdraw(id: string): string {
    const backfill = this.backfills.get(id);
    if (!backfill) return 'unknown';
    if (backfill.state === 'open') this.close(id, backfill, 'withdrawn');
    return 'found';
  }

  private close(id: string, backfill: ModelBackfill, state: 'withdrawn' | 'expired'): void {
    backfill.state = state;
    this.closed.push(id);
  }

  private takeSeats({ proposalId, backfillId, matchId, ticketId, playerIds }: Claim, now: number): string {
    if (this.claims.has(proposalId)) return 'decided';
    const backfill = this.backfills.get(backfillId);
    const isOpen = backfill?.state === 'open' && backfill.expiresAt > now;
    if (!isOpen || !this.isPlayed(matchId) || backfill.seatsLeft < playerIds.length) return 'gone';
    const { players } = this.match(matchId);
    const isBusy = (id: string): boolean =>
      this.held.has(id) || players.some(({ playerId }) => playerId === id);
    if (playerIds.some(isBusy)) return 'busy';
    backfill.seatsLeft -= playerIds.length;
    if (backfill.seatsLeft === 0) backfill.state = 'filled';
    for (const playerId of playerIds) {
      this.held.set(playerId, matchId);
      players.push({ playerId, team: backfill.team, ticketId, backfillId, left: false });
    }
    this.claims.set(proposalId, { order: null, orderedAt: 0 });
    return 'filled';
  }

  private isPlayed(matchId: string): boolean {
    return this.sessions.some((session) => session.matchId === matchId && session.state === 'live');
  }

  private orderSeats(proposalId: string, now: number): string {
    const { backfillId, matchId } = claimOf(proposalId);
    const claim = this.claims.get(proposalId);
    if (!claim || claim.order !== null || !this.isPlayed(matchId)) return 'nothing to do';
    Object.assign(claim, { order: 'pending', orderedAt: now });
    const backfill = this.backfills.get(backfillId);
    if (backfill?.state === 'open') this.look(backfillId, backfill);
    return 'ordered';
  }

  private answerSeats(proposalId: string, how: 'let in' | 'turn away'): string {
    const said = how === 'let in' ? 'done' : 'refused';
    const claim = this.claims.get(proposalId);
    if (!claim?.order) return 'unknown';
    if (claim.order === said) return 'again';
    if (claim.order !== 'pending') return 'withdrawn';
    claim.order = said;
    const { matchId } = claimOf(proposalId);
    if (!this.isPlayed(matchId)) return 'accepted';
    if (how === 'let in') this.joined.push(proposalId);
    else this.takeBack(proposalId);
    return 'accepted';
  }

  /** A match ends: tickets that its server has not let in wait again. These requests name none of them. */
  protected takeBackOutstanding(matchId: string): void {
    const tickets = [...this.claims].flatMap(([proposalId, { order }]) => {
      const { matchId: of, backfillId, ticketId } = claimOf(proposalId);
      const isIn = this.match(matchId).players.some(
        (each) => each.backfillId === backfillId && each.ticketId === ticketId,
      );
      const hasLeft = this.match(matchId).players.some((each) => each.ticketId === ticketId && each.left);
      if (of !== matchId || order === 'done' || !isIn || hasLeft) return [];
      this.unseat(proposalId);
      return [ticketId];
    });
    if (tickets.length > 0) this.tell(matchId, tickets);
  }

  /** The players of a ticket are in the match no more, and the ticket waits again. */
  private takeBack(proposalId: string): void {
    const { matchId, ticketId } = claimOf(proposalId);
    this.unseat(proposalId);
    this.tell(matchId, [ticketId]);
  }

  private unseat(proposalId: string): void {
    const { matchId, backfillId, ticketId } = claimOf(proposalId);
    const match = this.match(matchId);
    const isOf = (each: ModelPlayer): boolean => each.ticketId === ticketId && each.backfillId === backfillId;
    for (const { playerId } of match.players.filter(isOf))
      if (this.held.get(playerId) === matchId) this.held.delete(playerId);
    match.players = match.players.filter((each) => !isOf(each));
  }

  /** What a sweep may take, by the id that it tells. */
  protected dueOfBackfills(
    what: Of<'end backfills' | 'withdraw seats'>['do'],
    now: number,
  ): Map<string, () => void> {
    if (what === 'end backfills')
      return new Map(
        [...this.backfills]
          .filter(
            ([, { matchId, state, expiresAt }]) =>
              state === 'open' && (expiresAt <= now || !this.isPlayed(matchId)),
          )
          .map(([id, backfill]) => [
            id,
            () => this.close(id, backfill, this.isPlayed(backfill.matchId) ? 'expired' : 'withdrawn'),
          ]),
      );
    return new Map(
      [...this.claims]
        .filter(
          ([, { order, orderedAt }]) => order === 'pending' && orderedAt <= now - placementTimeouts.answerMs,
        )
        .map(([id, claim]) => [
          id,
          () => {
            claim.order = 'withdrawn';
            if (this.isPlayed(claimOf(id).matchId)) this.takeBack(id);
          },
        ]),
    );
  }

  /** What the stores are to hold of players, backfills and claims. */
  protected seats(): SeatSummary {
    return {
      players: [...this.matches]
        .flatMap(([matchId, { players }]) =>
          players.map(
            ({ playerId, team, ticketId, left }) =>
              `${matchId}: ${playerId} of team ${team} by ${ticketId}${left ? ', left' : ''}`,
          ),
        )
        .sort(),
      backfills: Object.fromEntries(
        [...this.backfills].map(([id, { state, seatsLeft }]) => [id, `${state}, ${seatsLeft} left`]),
      ),
      orders: Object.fromEntries(
        [...this.claims].flatMap(([id, { order }]) => (order === null ? [] : [[id, order]])),
      ),
      endings: this.endings.toSorted(),
      wanted: this.wanted.toSorted(),
      closed: this.closed.toSorted(),
      taken: [...this.claims.keys()].sort(),
      joined: this.joined.toSorted(),
    };
  }

  /** An update ends the match for these tickets. */
  protected tell(matchId: string, ticketIds: readonly string[]): void {
    this.endings.push(`${matchId}: ${[...new Set(ticketIds)].sort().join(', ')}`);
  }
}
