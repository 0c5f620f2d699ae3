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
