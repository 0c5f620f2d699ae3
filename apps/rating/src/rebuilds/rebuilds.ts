import type { RebuildPool } from '@muster/contracts';
import {
  PoolInvalid,
  RebuildRunning,
  type Clock,
  type Finished,
  type FoldedEvent,
  type GivenEvent,
  type Ids,
  type LastStep,
  type LedgerStore,
  type MatchEvent,
  type RatingPool,
  type Rebuild,
  type RebuildStore,
  type SequencedEvent,
} from '@muster/domain';
import { Fold, type Versions } from './fold.js';
import { readRules } from '../pools/pools.js';
import { refitEvents, refittable } from './refit.js';

const pageSize = 1_000;
/** With fewer new events than this the last step, which holds results back, is short. */
const tailSize = 500;

/** Lets whatever waits for the processor have it. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rates whole histories anew, in the background, while results keep coming. */
export class Rebuilds {
  private stopping = false;

  constructor(
    private readonly store: RebuildStore,
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Names this process. */
    private readonly holder: string,
    /** How long a rebuild may be silent before another process takes it over. */
    private readonly leaseMs: number,
    private readonly say: (rebuild: Rebuild, what: string) => void,
  ) {}

  /** @throws UnknownPool, PoolInvalid, RebuildRunning */
  async request(name: string, { reason, refit, ...given }: RebuildPool): Promise<Rebuild> {
    const pool = await this.ledger.pool(name);
    const asItWas = Object.keys(given).length === 0;
    const rules = asItWas && !refit ? null : readRules(given, pool.rules);
    if (refit && rules?.model !== refittable)
      throw new PoolInvalid(
        `Only ratings of the model ${refittable} can be fitted at once; these would be ${rules?.model ?? pool.rules.model}’s.`,
      );
    const rebuild = await this.store.request(
      { rebuildId: this.ids.make('rbd'), pool: name, rules, refit, reason },
      this.clock.now(),
    );
    if (!rebuild)
      throw new RebuildRunning(`"${name}" is being rebuilt already; see GET /v1/pools/${name}/rebuilds.`, {
        pool: name,
      });
    return rebuild;
  }

  /** Ends the work at the next page: another process begins anew. */
  stop(): void {
    this.stopping = true;
  }

  /** Newest first. @throws UnknownPool */
  async list(name: string): Promise<Rebuild[]> {
    await this.ledger.pool(name);
    return this.store.rebuilds(name, 20);
  }

  /**
   * Takes a rebuild that nobody works on, and does it.
   *
   * 1. Fold the history up to a boundary, page by page, into a generation of its own that nobody reads yet.
   * 2. Do the same with what came meanwhile, until little is left.
   * 3. With results held back for a moment, fold the rest and put the generation in force.
   *
   * A match voided meanwhile that was folded already sends it back to the start. Whoever dies on the way leaves the old
   * generation in force, and the next process begins anew when the lease is over.
   *
   * @returns whether there was one
   */
  async work(): Promise<boolean> {
    const rebuild = await this.store.claim(this.holder, this.leaseMs, this.clock.now());
    if (!rebuild) return false;
    this.say(rebuild, 'began');
    try {
      this.say(rebuild, await this.run(rebuild));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await this.store.fail(rebuild, this.holder, reason, this.clock.now());
      this.say(rebuild, `failed: ${reason}`);
    }
    return true;
  }

  /** @returns what came of it, for the log */
  private async run(rebuild: Rebuild): Promise<string> {
    const run = await this.begin(rebuild);
    const halt = await this.foldHistory(run);
    if (halt) return halted[halt];
    const finished = await this.putInForce(run, await this.refit(run));
    if (finished === 'again') {
      // Taken again it gets a generation that holds nothing yet.
      await this.store.release(rebuild, this.holder);
      return 'begins anew, since a match was voided meanwhile';
    }
    return finished === 'in-force' ? `is in force as generation ${rebuild.generation}` : halted['lease-lost'];
  }

  private async begin(rebuild: Rebuild): Promise<Run> {
    const { pool: name, rules } = rebuild;
    const known = new Map<number, RatingPool>();
    const versions: Versions = {
      of: async (version) => {
        const pool = known.get(version) ?? (await this.store.version(name, version));
        known.set(version, pool);
        return pool;
      },
      add: (added, calibration, why) => this.store.addVersion(name, added, calibration, why),
    };
    const voided = await this.store.voided(name);
    const fold = await Fold.begin(await this.ledger.pool(name), rules, versions);
    return { rebuild, fold, known, versions, voided, played: [], after: 0, done: 0 };
  }

  /** Folds up to one boundary after the other, until little is left. @returns why it ended before that, if it did */
  private async foldHistory(run: Run): Promise<Halt | null> {
    const { rebuild, fold } = run;
    for (;;) {
      const boundary = await this.store.boundary(rebuild.pool);
      if (boundary.sequence <= run.after || (run.after > 0 && boundary.events - run.done < tailSize))
        return null;
      const halt = await this.foldUpTo(run, boundary);
      if (halt) return halt;
      run.after = boundary.sequence;
      await this.store.writeRatings(rebuild, fold.takeChanged());
    }
  }

  /** Folds the events up to a boundary, page by page: while one page is written, the next is folded. */
  private async foldUpTo(run: Run, boundary: Boundary): Promise<Halt | null> {
    const { rebuild, fold, voided, versions } = run;
    let writing: Promise<void> = Promise.resolve();
    while (run.after < boundary.sequence) {
      const page = await this.store.events(rebuild.pool, run.after, boundary.sequence, pageSize);
      const last = page.at(-1);
      if (!last) break;
      const folded = await foldAll(fold, page, voided, versions, rebuild.refit ? run.played : null);
      await writing;
      writing = this.store.write(rebuild, folded);
      // Whether it failed is asked before the next page is written.
      writing.catch(() => undefined);
      run.after = last.sequence;
      run.done += page.length;
      if (this.stopping) {
        await writing;
        await this.store.release(rebuild, this.holder);
        return 'stopped';
      }
      if (!(await this.renew(run, Math.max(run.done, boundary.events), this.clock.now())))
        return 'lease-lost';
      await pause();
    }
    await writing;
    return null;
  }

  /** Says that the work goes on. @returns false when another process has taken over */
  private renew({ rebuild, fold, done }: Run, total: number, now: number): Promise<boolean> {
    const progress = { done, total, skipped: fold.skipped };
    return this.store.renew(rebuild, this.holder, progress, this.leaseMs, now);
  }

  /** The ratings that a fit of the whole history gives, where one was asked for. */
  private async refit(run: Run): Promise<GivenEvent[]> {
    const { rebuild, fold, played } = run;
    const at = this.clock.now();
    if (!rebuild.refit) return [];
    let renewed = at;
    /** A fit takes long: now and then it says that it goes on. */
    const beat = async (): Promise<void> => {
      await pause();
      const now = this.clock.now();
      if (now - renewed < this.leaseMs / 3) return;
      renewed = now;
      await this.renew(run, run.done, now);
    };
    return refitEvents(fold.current, played, fold.ratings, rebuild.rebuildId, at, beat);
  }

  /** With results held back for a moment, folds the rest and puts the generation in force. */
  private putInForce(run: Run, given: readonly GivenEvent[]): Promise<Finished> {
    const { rebuild, fold, known, voided, after, done } = run;
    return this.store.finish(
      rebuild,
      this.holder,
      after,
      voided,
      async (events, step) => {
        const versions: Versions = {
          of: async (version) => known.get(version) ?? (await step.version(version)),
          add: step.addVersion,
        };
        // On a copy, since a step that loses a race is taken again.
        const last = fold.copy();
        const folded = [
          ...(await foldAll(last, events, voided, versions, null)),
          ...(await foldGiven(last, given, step, versions)),
        ];
        return { folded, ratings: last.takeChanged(), version: last.version, skipped: last.skipped };
      },
      done,
      this.clock.now(),
    );
  }
}

/** A rebuild that is under way. */
interface Run {
  readonly rebuild: Rebuild;
  readonly fold: Fold;
  /** Versions that were read. */
  readonly known: Map<number, RatingPool>;
  readonly versions: Versions;
  /** Matches that are left out. */
  readonly voided: ReadonlySet<string>;
  /** The matches of the history, kept for a fit of them all. */
  readonly played: MatchEvent[];
  /** The last sequence that was folded. */
  after: number;
  /** Events that were folded. */
  done: number;
}

type Boundary = Awaited<ReturnType<RebuildStore['boundary']>>;

type Halt = 'stopped' | 'lease-lost';

const halted: Readonly<Record<Halt, string>> = {
  stopped: 'is left to another process',
  'lease-lost': 'lost its lease',
};

/** Rates events of the rebuild's own, after all others. */
async function foldGiven(
  fold: Fold,
  given: readonly GivenEvent[],
  step: LastStep,
  versions: Versions,
): Promise<FoldedEvent[]> {
  const sequences = given.length > 0 ? await step.sequences(given.length) : [];
  const folded: FoldedEvent[] = [];
  for (const [i, event] of given.entries()) {
    const sequenced = { sequence: sequences[i] ?? 0, event, version: fold.version };
    const rated = await fold.step(sequenced, versions);
    if (rated) folded.push({ ...rated, isNew: true });
  }
  return folded;
}

async function foldAll(
  fold: Fold,
  events: readonly SequencedEvent[],
  voided: ReadonlySet<string>,
  versions: Versions,
  played: MatchEvent[] | null,
): Promise<FoldedEvent[]> {
  const folded: FoldedEvent[] = [];
  for (const each of events) {
    if (each.event.kind === 'match' && voided.has(each.event.eventId)) continue;
    const rated = await fold.step(each, versions);
    if (!rated) continue;
    folded.push(rated);
    if (each.event.kind === 'match') played?.push(each.event);
  }
  return folded;
}
