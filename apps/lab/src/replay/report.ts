import { MusterProblem, type OperatorClient } from '@muster/sdk';
import type { RefusedRow } from '../match-file/broken-row.js';
import type { Judged } from './figures.js';
import type { RecordedMatch } from '../match-file/match-file.js';
import { isUnavailable, retryUnavailable } from '@muster/command-line/operator/retry';

/** The outcome of reporting matches. */
export interface Reported {
  /** Rated now. */
  readonly new: number;
  /** Rated by an earlier report of the same match. */
  readonly known: number;
  /** Rejected by the coordinator. */
  readonly refused: number;
  /** New and known matches, each once, in order. */
  readonly judged: readonly Judged[];
}

/** The client and the callbacks of a run. */
export interface Reporting {
  readonly operator: Pick<OperatorClient, 'reportMatch'>;
  /** Ends it before the next match. */
  readonly stop: AbortSignal;
  onProgress(done: number): void;
  onRefused(row: RefusedRow): void;
  /** Called when the coordinator does not answer and the call is retried. */
  onRetry(): void;
}

/** Longer than the restart of a service. */
const retryMs = 60_000;

/** Statuses that concern one row; any other would affect every row, so it ends the run. */
const rowStatuses = [400, 409, 413, 422];

/** The run cannot continue; has the number of reported matches. */
export class ReportingFailed extends Error {
  constructor(
    readonly done: number,
    cause: unknown,
  ) {
    super('reporting failed', { cause });
  }
}

/**
 * Reports matches sequentially, because each rating depends on the previous ones. A known match returns its first
 * prediction, so a repeated run has the same figures.
 *
 * @throws ReportingFailed if the coordinator is unreachable or rejects the key
 */
export async function reportAll(matches: readonly RecordedMatch[], reporting: Reporting): Promise<Reported> {
  const count = { new: 0, known: 0, refused: 0 };
  const judged = new Map<string, Judged>();
  const { stop, onRetry } = reporting;
  const retryLimits = { limitMs: retryMs, stop, onRetry, now: Date.now };
  let done = 0;
  for (const { line, body } of matches) {
    if (stop.aborted) break;
    try {
      const { matchId, counted, prediction } = await retryUnavailable(
        () => reporting.operator.reportMatch(body),
        retryLimits,
      );
      count[counted ? 'new' : 'known']++;
      judged.set(matchId, { prediction, ranks: body.ranks });
    } catch (error) {
      if (stop.aborted && isUnavailable(error)) break;
      if (!(error instanceof MusterProblem) || !rowStatuses.includes(error.status))
        throw new ReportingFailed(done, error);
      count.refused++;
      reporting.onRefused({ line, reason: error.message });
    }
    reporting.onProgress(++done);
  }
  return { ...count, judged: [...judged.values()] };
}
