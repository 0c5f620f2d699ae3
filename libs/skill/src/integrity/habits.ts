import type { NewcomerWatch } from './newcomer.js';

/** The chance that a person keeps a habit under another account. */
const kept = 0.8;
/** Accounts that report a kind are counted up to so many: see `alternateLog` for why that is enough. */
export const mostAccounts = 10_000;
/** A code of more holders is common, and says nothing. */
export const mostHolders = 50;

/** A habit of a new account, and how usual it is in its pool. */
export interface OwnHabit {
  readonly kind: string;
  readonly code: string;
  /** Accounts of the pool that report the kind; `mostAccounts` stands for more as well. */
  readonly players: number;
  /** Accounts with the same code, the new one among them; any number above `mostHolders` stands for all such. */
  readonly holders: number;
}

/** Codes of an account by kind. */
export type KnownHabits = ReadonlyMap<string, string>;

/**
 * Whether so many have a code that it says nothing. This follows from the new account's own code, whomever it is compared with, so
 * leaving the kind out spoils no bound.
 */
export function isCommon({ players, holders }: Pick<OwnHabit, 'players' | 'holders'>): boolean {
  return holders > mostHolders || 2 * holders > players;
}

/** How two accounts compare in a kind that both report. */
export type Comparison = 'equal' | 'different' | 'common';

/** @returns undefined when the other account does not report the kind */
export function compared(habit: OwnHabit, others: KnownHabits): Comparison | undefined {
  const code = others.get(habit.kind);
  if (code === undefined) return undefined;
  const isEqual = code === habit.code;
  if (isCommon(habit)) return isEqual ? 'common' : undefined;
  return isEqual ? 'equal' : 'different';
}

/** How many times better one person explains the habits of two accounts than two people do, as a logarithm. */
export function habitsLog(own: readonly OwnHabit[], others: KnownHabits): number {
  return own.reduce((log, habit) => log + Math.log(ratioOf(habit, compared(habit, others))), 0);
}

/** A person keeps a habit, or draws another as strangers do. */
function ratioOf({ players, holders }: OwnHabit, comparison: Comparison | undefined): number {
  if (comparison === 'different') return 1 - kept;
  if (comparison !== 'equal') return 1;
  const frequency = (holders + 1) / (players + 2);
  return (kept + (1 - kept) * frequency) / frequency;
}

/** With how many accounts a new one is compared: those that report the kind that most report. */
export function accountsOf(own: readonly OwnHabit[]): number {
  return Math.min(mostAccounts, Math.max(1, ...own.map(({ players }) => players)));
}

/**
 * Evidence, as a logarithm, that a new account belongs to the person of another one.
 *
 * 1. Each kind that both report has a likelihood ratio: one person against two. Of N accounts of which h have the new one's code, at
 *    most h - 1 others are equal, each worth less than (N + 2) / (h + 1), so the mean over the others is 1 at most.
 * 2. The product is divided by the number of accounts: each of them could look like the new one (union bound).
 * 3. (1 + the evidence of a level above newcomers) / 2 is a factor. It is the mean of 1 and of evidence whose mean is 1 for honest
 *    newcomers, so skill strengthens the evidence, and a lack of it takes half of it at most.
 *
 * So at most 1 in E honest newcomers has an evidence of E at a given time (Markov's inequality), if people have their habits
 * independently of each other, if the kinds are independent, and if the kind that most accounts report is reported by all. Families,
 * shared homes and internet cafés break the first: a case says so. Over time shares change and the bound is approximate.
 *
 * Of more than `mostAccounts` accounts, counted as these, a code looks usual by the factor that the division leaves out. Every account
 * in question has an equal code, so the bound holds for any number of accounts.
 */
export function alternateLog(
  own: readonly OwnHabit[],
  others: KnownHabits,
  { evidence }: Pick<NewcomerWatch, 'evidence'>,
): number {
  return habitsLog(own, others) - Math.log(accountsOf(own)) + Math.log((1 + Math.exp(evidence.log)) / 2);
}

/** An account that may be the older one of a person. */
export interface OlderAccount {
  readonly playerId: string;
  readonly habits: KnownHabits;
  /** Whether it was there before the new one. */
  readonly isOlder: boolean;
  /** Whether both were ever in one match: nobody plays against, or with, themselves. */
  readonly hasMet: boolean;
  /** Whether an operator has judged the two. Habits say the same the next day, so they are not asked about again. */
  readonly isJudged: boolean;
}

/** The older account that looks most like a new one. @returns null when none has as much evidence as the threshold */
export function likeliestOlder<A extends OlderAccount>(
  own: readonly OwnHabit[],
  newcomer: Pick<NewcomerWatch, 'evidence'>,
  accounts: readonly A[],
  threshold: number,
): A | null {
  let best: A | null = null;
  let most = Math.log(threshold);
  for (const account of accounts) {
    if (!account.isOlder || account.hasMet || account.isJudged) continue;
    const log = alternateLog(own, account.habits, newcomer);
    if (best ? log <= most : log < most) continue;
    [best, most] = [account, log];
  }
  return best;
}
