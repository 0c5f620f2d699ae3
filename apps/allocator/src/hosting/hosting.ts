import {
  choicesFor,
  decideAllocation,
  decideAllocationRelease,
  stepOf,
  type AllocationChange,
  type Clock,
  type DueAllocation,
  type FleetScaler,
  type HostingNeed,
  type HostingRule,
  type ProviderLimits,
  type Random,
  type ServerProvider,
  type ServerShortage,
} from '@muster/domain';
import type { PostgresAllocationStore } from './hosting.store.js';

/** A provider of the settings. */
export interface NamedProvider extends ProviderLimits {
  readonly name: string;
  readonly provider: ServerProvider;
  /** How long one request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Requests that one replica makes at once. */
  readonly concurrency: number;
}

/** After the time limit of a request, a replica that has not stored its answer counts as dead. */
const leaseMarginMs = 5_000;
/** Claimed allocations that one turn of the reconciler looks at. */
const desertedAtOnce = 200;
/** Pages of one provider's list that one turn of the reconciler reads. */
const mostPages = 100;

/**
 * Asks providers for servers, and gives back those that nobody claims. A request is written before it is sent and is
 * repeated with the same id, so a lost answer or a dead replica neither loses nor doubles a server.
 */
export class Hosting implements FleetScaler {
  private readonly working = new Map<string, Set<Promise<string | null>>>();
  private readonly pausedUntil = new Map<string, number>();
  private deserted: string | null = null;
  private starting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: PostgresAllocationStore,
    private readonly providers: readonly NamedProvider[],
    private readonly rules: readonly HostingRule[],
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly makeId: () => string,
    /** Asked for what no rule covers; null: nobody. */
    private readonly otherwise: FleetScaler | null,
    /** Called for errors of a provider. */
    private readonly trouble: (provider: string, error: string) => void,
    /** Called when a request is over and another may be made. */
    private readonly onFree: () => void,
  ) {}

  async ask(shortage: ServerShortage): Promise<void> {
    const { build, regions, waitingMatches, slots: wanted } = shortage;
    const fitting = choicesFor(this.rules, build, regions);
    if (fitting.length === 0 && this.otherwise) return this.otherwise.ask(shortage);
    if (shortage.labels) throw new Error('the providers of HOSTING_FILE start no servers with labels');
    const choices = fitting.flatMap(({ provider, region }) => {
      const named = this.providers.find(({ name }) => name === provider);
      if (!named) return [];
      const { slots, maxPending, claimMs } = named;
      return [{ provider, region, slots, maxPending, claimMs }];
    });
    if (choices.length === 0) {
      const where = `build ${build} in ${regions.join(', ') || 'any region'}`;
      throw new Error(
        fitting.length === 0
          ? `no rule of HOSTING_FILE names a provider for ${where}`
          : `servers of ${where} register by themselves, as HOSTING_FILE says; none is asked for`,
      );
    }
    const need: HostingNeed = { build, regions, waitingMatches, slots: wanted, choices };
    const opened = await this.store.openAllocations(need, this.makeId, this.clock.now());
    const failures = await Promise.all(await this.start());
    const { open, error } = await this.store.openRequests(need, this.clock.now());
    if (open > 0 && error !== null) throw new Error(error);
    if (open > 0) return;
    const failure = failures.find((each) => each !== null);
    if (failure !== undefined && failure !== null) throw new Error(failure);
    if (opened === 0)
      throw new Error(error ?? 'each provider has as many requests open as its maxPending allows');
  }

  /**
   * Begins the steps that are due. Calls follow one another, so that no two of them fill the same place of a provider.
   *
   * @returns those begun, each with its error or null
   */
  start(): Promise<Promise<string | null>[]> {
    const begun = this.starting.then(() => this.begin());
    this.starting = begun.catch(() => undefined);
    return begun;
  }

  private async begin(): Promise<Promise<string | null>[]> {
    const begun: Promise<string | null>[] = [];
    for (const named of this.providers) {
      const { name, concurrency, timeoutMs } = named;
      const now = this.clock.now();
      const working = this.working.get(name) ?? new Set();
      this.working.set(name, working);
      const free = concurrency - working.size;
      if (free <= 0 || now < (this.pausedUntil.get(name) ?? 0)) continue;
      for (const due of await this.store.takeDue(name, timeoutMs + leaseMarginMs, now, free)) {
        const work = this.step(named, due).catch((error: unknown) => this.report(name, textOf(error)));
        working.add(work);
        begun.push(work);
        void work.then(() => {
          working.delete(work);
          this.onFree();
        });
      }
    }
    return begun;
  }

  /** Waits for the steps that were begun. */
  async settled(): Promise<void> {
    await Promise.all([...this.working.values()].flatMap((each) => [...each]));
  }

  /** Compares allocations with servers, a page at a time, and with what providers hold, where they can list it. */
  async reconcile(): Promise<void> {
    this.deserted = await this.store.releaseDeserted(this.deserted ?? '', desertedAtOnce, this.clock.now());
    for (const { name, provider } of this.providers) {
      if (!provider.list) continue;
      try {
        let cursor: string | null = null;
        for (let page = 0; page < mostPages; page++) {
          const held = await provider.list(cursor);
          const unknown = await this.store.releaseHeld(name, held.ids, this.clock.now());
          if (unknown.length > 0)
            this.trouble(name, `it holds servers of allocations that are not known: ${unknown.join(', ')}`);
          cursor = held.next;
          if (cursor === null) break;
        }
      } catch (error) {
        this.report(name, textOf(error));
      }
    }
  }

  /** @returns the error, or null */
  private async step(named: NamedProvider, due: DueAllocation): Promise<string | null> {
    const { name, provider } = named;
    const step = stepOf(due, this.clock.now());
    switch (step) {
      case 'drop':
        await this.store.dropAllocation(due.id, this.clock.now());
        return null;
      case 'give-up':
        await this.store.giveUpAllocation(due.id, this.clock.now());
        return null;
      case 'ask':
      case 'poll': {
        const answer = await provider[step](due);
        return this.settle(name, due, decideAllocation(due, answer, this.clock.now(), this.random));
      }
      case 'release': {
        const answer = await provider.release(due);
        const change = decideAllocationRelease(due, answer, this.clock.now(), this.random);
        await this.settle(name, due, change, answer.state !== 'held');
        return null;
      }
    }
  }

  private async settle(
    provider: string,
    due: DueAllocation,
    change: AllocationChange,
    isTrouble = true,
  ): Promise<string | null> {
    const now = this.clock.now();
    await this.store.settleAllocation(due, change, now);
    if (change.to !== 'waits' && change.to !== 'failed') return null;
    if (change.to === 'waits' && change.pausedUntil !== null) {
      this.pausedUntil.set(provider, change.pausedUntil);
      await this.store.pauseProvider(provider, change.pausedUntil);
    }
    return isTrouble ? this.report(provider, change.error) : change.error;
  }

  private report(provider: string, error: string): string {
    this.trouble(provider, error);
    return error;
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
