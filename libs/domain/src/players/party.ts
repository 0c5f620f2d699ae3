/** Claims of the game's login about a player, in the claim `muster` of their token. Absent claims are unknown. */
export interface PlayerClaims {
  readonly verified?: boolean;
  readonly playMinutes?: number;
  /** Milliseconds since the epoch. */
  readonly accountCreatedAt?: number;
  /** What they own or may do, by names of the game. */
  readonly entitlements?: readonly string[];
}

/** A player's client. */
export interface ClientFacts {
  /** Absent: not sent, and the leader's applies. */
  readonly build?: string | undefined;
  readonly platform?: string | undefined;
  /** False: with players of their own platform only. */
  readonly crossPlay?: boolean | undefined;
}

/** A player who joins a party, with their own data. */
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
  /** Invitations that have not expired. */
  readonly invitations: readonly PartyInvitation[];
}

/** An invitation as the invited player sees it. */
export interface InvitedTo {
  readonly partyId: string;
  readonly leader: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Most members and invitations of one party together: no team is larger. */
export const largestParty = 50;

export type CreatePartyResult =
  | { readonly outcome: 'created'; readonly party: Party }
  | { readonly outcome: 'in-party'; readonly partyId: string };

export type InviteResult =
  | { readonly outcome: 'invited' | 'member'; readonly party: Party }
  | { readonly outcome: 'unknown' | 'not-leader' | 'full' };

export type JoinResult =
  /** A present member replaces their data. */
  | { readonly outcome: 'joined'; readonly party: Party }
  | { readonly outcome: 'unknown' | 'not-invited' }
  | { readonly outcome: 'in-party'; readonly partyId: string };

export type PassResult =
  /** `party` as it is now; the same when the player leads it already. */
  | { readonly outcome: 'passed'; readonly party: Party }
  | { readonly outcome: 'unknown' | 'not-leader' | 'not-member' };

export type UninviteResult =
  /** There is no such invitation any more. `party` is for its leader; null for the invited player. */
  { readonly outcome: 'gone'; readonly party: Party | null } | { readonly outcome: 'unknown' | 'not-leader' };

export type LeaveResult =
  | { readonly outcome: 'left'; readonly party: Party }
  /** The leader left: the party has ended. */
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'unknown' };
