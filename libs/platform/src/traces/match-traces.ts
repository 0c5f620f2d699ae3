import type { MatchSteps, SpanAttributes, Traces } from '@muster/contracts';
import type { Db, Sql } from '@muster/db';
import { Batcher } from '@muster/domain';
import type { ErrorLog } from '../core/error-log.js';
import { matchIdIn, traceIn, type JobItem } from '../jobs/job-items.js';

/** Matches whose traces one statement reads. */
const readAtOnce = 200;

/**
 * Records steps in the traces of matches, which are kept in their rows: a step after days, or after a restart of everything, is in
 * the same trace. Nobody waits for it, and a step whose trace cannot be read is not recorded.
 */
export class MatchTraces implements MatchSteps {
  private readonly reads = new Batcher<string, string | null>(
    readAtOnce,
    (ids) => this.read(ids),
    () => false,
  );

  constructor(
    private readonly traces: Traces,
    private readonly db: Db,
    private readonly errors: Pick<ErrorLog, 'report'>,
  ) {}

  step(matchId: string, name: string, attributes: SpanAttributes = {}, since?: number): void {
    const { active } = this.traces;
    const now = Date.now();
    void this.of(matchId).then((parent) => {
      if (parent === null) return;
      const links = active ? [active.context] : [];
      const facts = { parent, links, since: since ?? active?.since ?? now };
      this.traces
        .begin(name, { ...facts, attributes: { ...attributes, 'muster.match.id': matchId } })
        .end(now);
    });
  }

  linkTo(matchId: string): void {
    const { active } = this.traces;
    if (active) void this.of(matchId).then((context) => context !== null && active.link(context));
  }

  /** The trace of a match; null if it has none. */
  private of(matchId: string): Promise<string | null> {
    return this.reads.submit('', matchId).catch((error: unknown) => {
      this.errors.report('traces of matches', error);
      return null;
    });
  }

  private async read(matchIds: readonly string[]): Promise<(string | null)[]> {
    const traces = await tracesOf(this.db.$sql, matchIds);
    return matchIds.map((id) => traces.get(id) ?? null);
  }
}

/** The traces of matches by id; those without one are missing. */
async function tracesOf(
  sql: Pick<Sql, '$queryRaw'>,
  matchIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.$queryRaw<{ id: string; trace: string | null }[]>`
    SELECT id, trace FROM match WHERE id = ANY(ARRAY(SELECT unnest(${[...new Set(matchIds)]}::text[])))`;
  return new Map(rows.flatMap(({ id, trace }) => (trace === null ? [] : [[id, trace]])));
}

/** Adds to jobs about matches the traces of these. A job that has one keeps it. */
export async function jobsWithTraces<Job extends JobItem>(
  sql: Pick<Sql, '$queryRaw'>,
  jobs: readonly Job[],
): Promise<Job[]> {
  const ids = jobs.map(({ payload }) => matchIdIn(payload));
  const traces = await tracesOf(
    sql,
    ids.flatMap((id) => id ?? []),
  );
  return jobs.map((job, i) => {
    const trace = traces.get(ids[i] ?? '');
    if (trace === undefined || traceIn(job.payload) !== undefined) return job;
    return { ...job, payload: { ...(job.payload as object), trace } };
  });
}
