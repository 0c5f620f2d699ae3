/** What the game's login says of a player, in the claim `muster` of their token. What is left out is not known. */
export interface PlayerClaims {
  readonly verified?: boolean;
  readonly playMinutes?: number;
  /** Milliseconds since the epoch. */
  readonly accountCreatedAt?: number;
}

/** What a player's client is. */
export interface ClientFacts {
  /** Absent: it was not said, and the leader's counts. */
  readonly build?: string | undefined;
  readonly platform?: string | undefined;
  /** False: with players of their own platform only. */
  readonly crossPlay?: boolean | undefined;
}

/** Whoever joins a party, with what they bring of their own. */
export interface JoiningPlayer extends ClientFacts {
  readonly playerId: string;
  /** Measured latency by region in milliseconds; empty means that any region will do. */
  readonly latencyMs: Readonly<Record<string, number>>;
  /** Roles that the player can play; absent: none of them. */
  readonly canPlay?: readonly string[];
  readonly claims: PlayerClaims;
}

export interface PartyMember extends JoiningPlayer {
  /** Milliseconds since the epoch. */
  readonly joinedAt: number;
}

export interface PartyInvitation {
  readonly playerId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Players who have each agreed to be queued together by one of them. */
export interface Party {
  readonly partyId: string;
  readonly leader: string;
  /** The leader first, the others in the order in which they joined. */
  readonly members: readonly PartyMember[];
  /** Those that still hold. */
  readonly invitations: readonly PartyInvitation[];
}

/** An invitation as the invited player sees it. */
export interface InvitedTo {
  readonly partyId: string;
  readonly leader: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Members and invitations of one party together, at the most: no team is larger. */
export const largestParty = 50;

export type CreatePartyResult =
  | { readonly outcome: 'created'; readonly party: Party }
  | { readonly outcome: 'in-party'; readonly partyId: string };

export type InviteResult =
  | { readonly outcome: 'invited' | 'member'; readonly party: Party }
  | { readonly outcome: 'unknown' | 'not-leader' | 'full' };

export type JoinResult =
  /** Whoever is a member already says anew what they bring. */
  | { readonly outcome: 'joined'; readonly party: Party }
  | { readonly outcome: 'unknown' | 'not-invited' }
  | { readonly outcome: 'in-party'; readonly partyId: string };

export type LeaveResult =
  | { readonly outcome: 'left'; readonly party: Party }
  /** It was the leader who left: there is no party any more. */
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'unknown' };

/**
 * Parties. A player is in one at most. Every method is one transaction; those that change a party take turns. All times are
 * milliseconds since the epoch.
 */
export interface PartyStore {
  create(partyId: string, leader: JoiningPlayer, now: number): Promise<CreatePartyResult>;
  find(partyId: string, now: number): Promise<Party | null>;
  ofPlayer(playerId: string, now: number): Promise<Party | null>;
  /** The invitations of a player that still hold, those that end last first. */
  invitationsOf(playerId: string, now: number): Promise<InvitedTo[]>;
  /** Invites a player, or lets an invitation hold for longer. */
  invite(
    partyId: string,
    by: string,
    playerId: string,
    expiresAt: number,
    now: number,
  ): Promise<InviteResult>;
  /** Takes up an invitation. Of several at once for one player, one is taken up. */
  join(partyId: string, player: JoiningPlayer, now: number): Promise<JoinResult>;
  /**
   * Takes a member out; with the leader the party ends.
   *
   * @param before runs while the party cannot change, and may run again; what it throws keeps everything as it was
   */
  leave(
    partyId: string,
    playerId: string,
    now: number,
    before: (party: Party) => Promise<void>,
  ): Promise<LeaveResult>;
  /** Runs a step while the party cannot change: nobody joins, nobody leaves. */
  hold<T>(partyId: string, now: number, step: (party: Party | null) => Promise<T>): Promise<T>;
  /** Ends parties that nobody did anything with since a time, and forgets invitations that ended. */
  endIdle(since: number, now: number): Promise<void>;
}
