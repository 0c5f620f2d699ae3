import type { Message } from '../messages/message.js';

/**
 * What a signal speaks of. `newcomer`: a new account that plays far above newcomers. `thrown`: matches that a player lost on
 * purpose. `collusion`: two opponents who agree on outcomes. `server`: a server whose results do not fit. `alternate`: a new
 * account and an older one that look like one person.
 */
export const signalKinds = ['newcomer', 'thrown', 'collusion', 'server', 'alternate'] as const;
export type SignalKind = (typeof signalKinds)[number];

/** What a player's device, settings or network look like, as codes by kind. */
export type Habits = Readonly<Record<string, string>>;

/** A signal that its evidence crossed the threshold of its kind. */
export interface Signal {
  readonly kind: SignalKind;
  /** The player, both players, or nobody when it is about a server. Of an alternate account, the new one comes first. */
  readonly players: readonly string[];
  readonly server: string | null;
  /** How many times better a cheat explains results, or one person the habits, than honest play; at least the threshold. */
  readonly evidence: number;
  /** At most this share of honest ones ever gets so much evidence by chance, if the pool's chances are right and habits independent. */
  readonly byChance: number;
  /** Matches from which the evidence is. */
  readonly matches: number;
  /** The match after which it was found, and its place in the ledger. */
  readonly matchId: string;
  readonly sequence: number;
  readonly pro: readonly Message[];
  readonly contra: readonly Message[];
}

export type CaseVerdict =
  /** An operator is sure enough to act outside of Muster. */
  'confirmed' | 'cleared' | 'unclear';

/** A signal that waits for an operator, or that one decided about. */
export interface IntegrityCase {
  readonly caseId: string;
  readonly pool: string;
  readonly kind: SignalKind;
  readonly players: readonly string[];
  readonly server: string | null;
  readonly state: 'open' | 'closed';
  readonly evidence: number;
  readonly byChance: number;
  readonly matches: number;
  readonly matchId: string;
  readonly pro: readonly Message[];
  readonly contra: readonly Message[];
  /**
   * Whether the pool was rebuilt since and the signal was not found again: a match may have been declared void, or the rules
   * changed.
   */
  readonly outdated: boolean;
  readonly openedAt: number;
  /** When its evidence was last counted. */
  readonly updatedAt: number;
  /** Whether it raised the uncertainty of its players. */
  readonly raised: boolean;
  readonly verdict: CaseVerdict | null;
  readonly note: string | null;
  readonly closedBy: string | null;
  readonly closedAt: number | null;
}

/** Which cases to list. */
export interface CaseQuery {
  readonly pool?: string | undefined;
  readonly kind?: SignalKind | undefined;
  readonly state: 'open' | 'closed';
  readonly player?: string | undefined;
  /** Cases after this one in the order of the list. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What an operator decided. */
export interface CaseClosing {
  readonly verdict: CaseVerdict;
  readonly note: string | null;
  readonly by: string;
}
