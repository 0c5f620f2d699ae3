import {
  AlreadyInParty,
  largestParty,
  message,
  NotAllowed,
  NotInvited,
  PartyNotFound,
  PartyTooLarge,
  TicketAlreadyMatched,
  type Clock,
  type Ids,
  type InvitedTo,
  type JoiningPlayer,
  type Message,
  type Party,
  type TicketStore,
} from '@muster/domain';
import type { PostgresPartyStore } from './party.store.js';

/** Lifetime of an invitation. */
const invitationMs = 600_000;
/** A party without activity for this time ends. */
const idleMs = 2 * 86_400_000;

/** A ticket in one of these states will not wait again, so it need not end with its party. */
const pastWaiting: readonly string[] = ['placing', 'assigned', 'cancelled', 'expired', 'failed'];

/**
 * Parties: a leader invites, members join with their own token, and each may leave. A member agrees to be queued by the
 * leader, or by the member to whom the leader passes the party. It ends when its leader leaves without passing it.
 *
 * A party is in Postgres and its ticket in Redis. Queueing and leaving both lock the party's row: either the ticket is
 * created first, and leaving finds and cancels it, or it is created from the remaining members. If a process dies between
 * the two stores, a ticket is cancelled and nobody has left: they may leave again. The reverse cannot happen.
 */
export class Parties {
  constructor(
    private readonly store: PostgresPartyStore,
    private readonly tickets: Pick<TicketStore, 'ticketOf' | 'find' | 'cancel'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** @throws AlreadyInParty */
  async create(leader: JoiningPlayer): Promise<Party> {
    const result = await this.store.create(this.ids.make('pty'), leader, this.clock.now());
    if (result.outcome === 'in-party') throw inParty(result.partyId);
    return result.party;
  }

  async mine(playerId: string): Promise<{ party: Party | null; invitations: InvitedTo[] }> {
    const now = this.clock.now();
    const [party, invitations] = await Promise.all([
      this.store.ofPlayer(playerId, now),
      this.store.invitationsOf(playerId, now),
    ]);
    return { party, invitations };
  }

  /** @throws PartyNotFound, NotAllowed, PartyTooLarge */
  async invite(partyId: string, by: string, playerId: string): Promise<Party> {
    const now = this.clock.now();
    const result = await this.store.invite(partyId, by, playerId, now + invitationMs, now);
    switch (result.outcome) {
      case 'unknown':
        throw noParty(partyId);
      case 'not-leader':
        throw new NotAllowed('Only the leader of a party invites to it.');
      case 'full':
        throw new PartyTooLarge(
          `A party has ${largestParty} members and invitations at the most; invitations end after ten minutes.`,
          { largest: largestParty },
        );
      case 'invited':
      case 'member':
        return result.party;
    }
  }

  /** @throws NotInvited, also where there is no such party: a stranger does not learn which; AlreadyInParty */
  async join(partyId: string, player: JoiningPlayer): Promise<Party> {
    const result = await this.store.join(partyId, player, this.clock.now());
    switch (result.outcome) {
      case 'unknown':
      case 'not-invited':
        throw new NotInvited(
          'You have no invitation to this party, or it has ended; its leader can invite you.',
        );
      case 'in-party':
        throw inParty(result.partyId);
      case 'joined':
        return result.party;
    }
  }

  /** Passes the party to another member. Idempotent. @throws PartyNotFound, NotAllowed */
  async pass(partyId: string, by: string, playerId: string): Promise<Party> {
    const result = await this.store.pass(partyId, by, playerId, this.clock.now());
    switch (result.outcome) {
      case 'unknown':
        throw noParty(partyId);
      case 'not-leader':
        throw new NotAllowed('Only the leader of a party passes it to another member.');
      case 'not-member':
        throw new PartyNotFound(
          `${playerId} is not in your party; only a member who has joined can lead it.`,
          { partyId, playerId },
        );
      case 'passed':
        return result.party;
    }
  }

  /**
   * Declines an invitation, or withdraws one that the caller made. Idempotent.
   *
   * @returns the party; null for the invited player @throws PartyNotFound, NotAllowed
   */
  async uninvite(partyId: string, by: string, playerId: string): Promise<Party | null> {
    const result = await this.store.uninvite(partyId, by, playerId, this.clock.now());
    switch (result.outcome) {
      case 'unknown':
        throw noParty(partyId);
      case 'not-leader':
        throw new NotAllowed(
          'You may decline your own invitation; only the leader withdraws those of others.',
        );
      case 'gone':
        return result.party;
    }
  }

  /**
   * Removes a member from a party; removing the leader ends it. A waiting ticket of the party is cancelled; one whose match
   * is formed stays.
   *
   * @returns the remaining party; null when it has ended
   * @throws PartyNotFound, NotAllowed; TicketAlreadyMatched while a match is being made of its ticket
   */
  async leave(partyId: string, by: string, playerId: string): Promise<Party | null> {
    const result = await this.store.leave(partyId, playerId, this.clock.now(), async (party) => {
      if (by !== playerId && by !== party.leader) {
        if (!party.members.some((member) => member.playerId === by)) throw noParty(partyId);
        throw new NotAllowed('You may leave a party; only its leader may put others out.');
      }
      await this.cancelTicket(party, playerId, reasonFor(party, by, playerId));
    });
    if (result.outcome === 'unknown') {
      // Only to members: strangers do not learn who is in a party.
      const party = by === playerId ? null : await this.store.find(partyId, this.clock.now());
      if (!party?.members.some((member) => member.playerId === by)) throw noParty(partyId);
      throw new PartyNotFound(`${playerId} is not in your party.`, { partyId, playerId });
    }
    return result.outcome === 'left' ? result.party : null;
  }

  /** @throws PartyNotFound, NotAllowed; TicketAlreadyMatched while a match is being made of its ticket */
  async end(partyId: string, by: string): Promise<void> {
    const party = await this.store.find(partyId, this.clock.now());
    if (!party || !party.members.some((member) => member.playerId === by)) throw noParty(partyId);
    if (party.leader !== by) throw new NotAllowed('Only the leader of a party ends it; you may leave it.');
    await this.leave(partyId, by, by);
  }

  /** Ends idle parties and removes expired invitations. */
  sweep(): Promise<void> {
    const now = this.clock.now();
    return this.store.endIdle(now - idleMs, now);
  }

  private async cancelTicket({ partyId }: Party, playerId: string, reason: Message): Promise<void> {
    const ticketId = await this.tickets.ticketOf(playerId);
    const ticket = ticketId === null ? null : await this.tickets.find(ticketId);
    // A member may also queue alone: that ticket is not the party's.
    if (!ticket || ticket.partyId !== partyId) return;
    const result = await this.tickets.cancel(ticket.ticketId, [reason], this.clock.now());
    if (result.outcome !== 'too-late' || pastWaiting.includes(result.state)) return;
    throw new TicketAlreadyMatched(
      `A match is being made of the party’s ticket (it is ${result.state}); try again in a moment.`,
      { ticketId: ticket.ticketId, state: result.state },
    );
  }
}

function reasonFor({ leader }: Party, by: string, playerId: string): Message {
  if (playerId === leader) return message('party.ended', { leader });
  if (by === playerId) return message('party.left', { playerId });
  return message('party.removed', { leader, playerId });
}

function noParty(partyId: string): PartyNotFound {
  return new PartyNotFound(`There is no party ${partyId} of yours; it may have ended.`, { partyId });
}

function inParty(partyId: string): AlreadyInParty {
  return new AlreadyInParty('You are in a party already; leave it first.', partyId === '' ? {} : { partyId });
}
