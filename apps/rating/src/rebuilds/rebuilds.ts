import type { RebuildPool } from '@muster/contracts';
import {
  PoolInvalid,
  RebuildRunning,
  type Clock,
  type GivenEvent,
  type Ids,
  type MatchEvent,
  type RatingPool,
} from '@muster/domain';
import type { PostgresRatings } from '../core/ratings.store.js';
import { readRules } from '../pools/pools.js';
import { Fold, type Versions } from './fold.js';
import type { Finished, FoldedEvent, LastStep, Rebuild, SequencedEvent } from './rebuild.js';
import type { PostgresRebuilds } from './rebuilds.store.js';
import { refitEvents, refittable } from './refit.js';
import { WriteQueue } from './write-queue.js';

const pageSize = 1_000;
/** The number of folded pages that may wait to be written: some megabytes each. */
const pagesWaiting = 4;
/** Pages written beside each other: a page costs Postgres more than the fold of it costs this process. */
const pagesAtOnce = 2;
/** The last step, which blocks results, begins when fewer new events remain. */
const tailSize = 500;

/** Yields the event loop. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A rebuild with the model that it rates by. */
export type ModelledRebuild = Rebuild & { readonly model: string };

function withModel(rebuild: Rebuild, pool: RatingPool): ModelledRebuild {
  return { ...rebuild, model: rebuild.rules?.model ?? rebuild.model ?? pool.rules.model };
}

/** Rebuilds ratings from the history in the background, while results keep arriving. */
export class Rebuilds {
  private stopping = false;

  constructor(
    private readonly store: PostgresRebuilds,
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** The id of this process. */
    private readonly holder: string,
    /** Another process takes over a rebuild whose lease was not renewed for this time. */
    private readonly leaseMs: number,
    private readonly say: (rebuild: Rebuild, what: string) => void,
  ) {}

  /** @throws UnknownPool, PoolInvalid, RebuildRunning */
  async request(name: string, { reason, refit, ...given }: RebuildPool): Promise<ModelledRebuild> {
    const pool = await this.ratings.pool(name);
    const keepsVersions = Object.keys(given).length === 0;
    const rules = keepsVersions && !refit ? null : readRules(given, pool.rules);
    if (refit && rules?.model !== refittable)
      throw new PoolInvalid(
        `Only ratings of the model ${refittable} can be fitted to a whole history; these would be of the model ${rules?.model ?? pool.rules.model}.`,
      );
    const rebuild = await this.store.request(
      { rebuildId: this.ids.make('rbd'), pool: name, rules, refit, reason },
      this.clock.now(),
    );
    if (!rebuild)
      throw new RebuildRunning(`"${name}" is already being rebuilt; see GET /v1/pools/${name}/rebuilds.`, {
        pool: name,
      });
    return withModel(rebuild, pool);
  }

  /** Stops the work at the next page; another process starts again. */
  stop(): void {
    this.stopping = true;
  }

  /** The rebuilds of a pool, newest first. @throws UnknownPool */
  async list(name: string): Promise<ModelledRebuild[]> {
    const pool = await this.ratings.pool(name);
    return (await this.store.rebuilds(name, 20)).map((rebuild) => withModel(rebuild, pool));
  }

  /**
   * Claims an unclaimed rebuild and runs it.
   *
   * 1. Fold the history up to a boundary, page by page, into a new generation that is not read yet.
   * 2. Repeat with the events that arrived meanwhile, until few remain.
   * 3. Block results for a moment, fold the rest and switch to the generation.
   *
   * If a folded match is voided meanwhile, the rebuild starts again. If the process dies, the old generation stays in
   * force and the next process starts again when the lease expires.
   *
   * @returns whether there was a rebuild
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

  /** @returns the outcome, for the log */
  private async run(rebuild: Rebuild): Promise<string> {
    const run = await this.begin(rebuild);
    const halt = await this.foldHistory(run);
    if (halt) return halted[halt];
    const finished = await this.putInForce(run, await this.refit(run));
    if (finished === 'again') {
      // The next claim uses a new, empty generation.
      await this.store.release(rebuild, this.holder);
      return 'starts again, because a match was voided meanwhile';
    }
    return finished === 'in-force' ? `took effect as generation ${rebuild.generation}` : halted['lease-lost'];
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
    const fold = await Fold.begin(await this.ratings.pool(name), rules, versions);
    return { rebuild, fold, known, versions, voided, played: [], after: 0, done: 0 };
  }

  /** Folds up to successive boundaries until few events remain. @returns why it ended early, if it did */
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

  /**
   * Folds the events up to a boundary, page by page. Three things go on at once: the next page is read while one is folded,
   * and earlier ones are written. A fit of the calibration takes as long as several pages, so several may wait to be written.
   */
  private async foldUpTo(run: Run, boundary: Boundary): Promise<Halt | null> {
    const { rebuild, fold, voided, versions } = run;
    const writes = new WriteQueue(pagesWaiting, pagesAtOnce);
    let reading = this.readPage(rebuild, run.after, boundary);
    while (run.after < boundary.sequence) {
      const page = await reading;
      const last = page.at(-1);
      if (!last) break;
      reading = this.readPage(rebuild, last.sequence, boundary);
      const folded = await foldAll(fold, page, voided, versions, rebuild.refit ? run.played : null);
      await writes.add((after) => this.store.write(rebuild, folded, after));
      run.after = last.sequence;
      run.done += page.length;
      if (this.stopping) {
        await writes.drain();
        await this.store.release(rebuild, this.holder);
        return 'stopped';
      }
      if (!(await this.renew(run, Math.max(run.done, boundary.events), this.clock.now())))
        return 'lease-lost';
      await pause();
    }
    await writes.drain();
    return null;
  }

  private readPage(rebuild: Rebuild, after: number, { sequence }: Boundary): Promise<SequencedEvent[]> {
    const reading =
      after < sequence ? this.store.events(rebuild, after, sequence, pageSize) : Promise.resolve([]);
    // An error is thrown where the page is awaited, which may be later.
    reading.catch(() => undefined);
    return reading;
  }

  /** Renews the lease and records progress. @returns false if another process has taken over */
  private renew({ rebuild, fold, done }: Run, total: number, now: number): Promise<boolean> {
    const progress = { done, total, skipped: fold.skipped };
    return this.store.renew(rebuild, this.holder, progress, this.leaseMs, now);
  }

  /** The events of a fit of the whole history, if one was requested. */
  private async refit(run: Run): Promise<GivenEvent[]> {
    const { rebuild, fold, played } = run;
    const at = this.clock.now();
    if (!rebuild.refit) return [];
    let renewed = at;
    /** A fit takes long, so it renews the lease at intervals. */
    const beat = async (): Promise<void> => {
      await pause();
      const now = this.clock.now();
      if (now - renewed < this.leaseMs / 3) return;
      renewed = now;
      await this.renew(run, run.done, now);
    };
    return refitEvents(fold.current, played, fold.ratings, rebuild.rebuildId, at, beat);
  }

  /** Blocks results for a moment, folds the rest and switches to the generation. */
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
        // On a copy, because a step that loses a race is repeated.
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

/** A rebuild in progress. */
interface Run {
  readonly rebuild: Rebuild;
  readonly fold: Fold;
  /** Cached versions. */
  readonly known: Map<number, RatingPool>;
  readonly versions: Versions;
  /** Matches to leave out. */
  readonly voided: ReadonlySet<string>;
  /** The matches of the history, for a fit of all of them. */
  readonly played: MatchEvent[];
  /** The last folded sequence. */
  after: number;
  /** The number of folded events. */
  done: number;
}

type Boundary = Awaited<ReturnType<PostgresRebuilds['boundary']>>;

type Halt = 'stopped' | 'lease-lost';

const halted: Readonly<Record<Halt, string>> = {
  stopped: 'continues in another process',
  'lease-lost': 'lost its lease',
};

/** Rates the rebuild's own events, after all others. */
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
