import type { AllocationChange, DueAllocation } from './allocation.js';
import type { HostingChoice } from './rules.js';

/** Limits of one provider. */
export interface ProviderLimits {
  /** Sessions of one server. */
  readonly slots: number;
  /** Requests without a registered server that may be open at once, over all replicas. */
  readonly maxPending: number;
  /** How long an allocation may be without a registered server, in milliseconds. */
  readonly claimMs: number;
}

/** A need that is to be met, and who may be asked, best first. */
export interface HostingNeed {
  readonly build: string;
  readonly regions: readonly string[];
  /** 0: only spare slots are missing. */
  readonly waitingMatches: number;
  /** The slots that are missing, with those of open requests. */
  readonly slots: number;
  readonly choices: readonly (HostingChoice & ProviderLimits)[];
}

/** The open requests of a need. */
export interface OpenRequests {
  readonly open: number;
  /** Why the last request about one of them failed; null if one of them had no error. Without any: what was refused. */
  readonly error: string | null;
}

/** The allocations. Each method is one transaction, and any number of replicas may call it. */
export interface AllocationStore {
  /** Writes requests for the servers that are missing. One replica at a time counts and writes. @returns how many */
  openAllocations(need: HostingNeed, makeId: () => string, now: number): Promise<number>;
  /** The open requests of a need. */
  openRequests(need: HostingNeed, now: number): Promise<OpenRequests>;
  /**
   * Takes due allocations of a provider. No other replica takes them within `leaseMs`; after that, this replica counts
   * as dead.
   */
  takeDue(provider: string, leaseMs: number, now: number, limit: number): Promise<DueAllocation[]>;
  /** Stores what an answer changes, unless the allocation has moved on. */
  settleAllocation(due: DueAllocation, change: AllocationChange, now: number): Promise<void>;
  /** Moves the next requests to a provider behind the time until which it wants none. */
  pauseProvider(provider: string, until: number): Promise<void>;
  /** Gives up an allocation that no server has claimed: it is released next. */
  giveUpAllocation(id: string, now: number): Promise<void>;
  /** Ends an allocation that was never sent. */
  dropAllocation(id: string, now: number): Promise<void>;
  /** Releases the allocations among a page of claimed ones whose server has left or is lost. @returns the next cursor */
  releaseDeserted(afterServerId: string, limit: number, now: number): Promise<string | null>;
  /**
   * Compares ids that a provider holds: those that are over are released again.
   *
   * @returns ids that are not known
   */
  releaseHeld(provider: string, ids: readonly string[], now: number): Promise<string[]>;
}
