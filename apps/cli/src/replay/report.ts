import type { OperatorClient } from '@muster/sdk';
import { MusterProblem } from '@muster/sdk';
import type { RefusedRow } from '../match-file/broken-row.js';
import type { Judged } from './figures.js';
import type { RecordedMatch } from '../match-file/match-file.js';
import { mayPass, patiently } from '../operator/patience.js';

/** What came of reporting matches. */
export interface Reported {
  /** Rated now. */
  readonly new: number;
  /** Rated by an earlier report of the same match. */
  readonly known: number;
  /** The coordinator said no. */
  readonly refused: number;
  /** New and known ones, each match once, in order. */
  readonly judged: readonly Judged[];
}

/** Whom to report to, and whom to tell. */
export interface Reporting {
  readonly operator: Pick<OperatorClient, 'reportMatch'>;
  /** Ends it before the next match. */
  readonly stop: AbortSignal;
  onProgress(done: number): void;
  onRefused(row: RefusedRow): void;
  /** Told when the coordinator does not answer and is asked again. */
  onWait(): void;
}

/** A service that is started anew is back well within this. */
const patienceMs = 60_000;

/** Answers that are about the row; any other would come for every row, so it ends the run. */
const ofTheRow = [400, 409, 413, 422];

/** The run cannot go on; says how many matches it got through. */
export class ReportingFailed extends Error {
  constructor(
    readonly done: number,
    cause: unknown,
  ) {
    super('reporting failed', { cause });
  }
}

/**
 * Reports matches one after the other: each rating starts from what the one before left. A match that is known already
 * answers with the prediction of its first time, so running it again gives the same figures.
 *
 * @throws ReportingFailed when the coordinator cannot be reached or does not take the key
 */
export async function reportAll(matches: readonly RecordedMatch[], reporting: Reporting): Promise<Reported> {
  const count = { new: 0, known: 0, refused: 0 };
  const judged = new Map<string, Judged>();
  const { stop, onWait } = reporting;
  const patience = { forMs: patienceMs, stop, onWait, now: Date.now };
  let done = 0;
  for (const { line, body } of matches) {
    if (stop.aborted) break;
    try {
      const { matchId, counted, prediction } = await patiently(
        () => reporting.operator.reportMatch(body),
        patience,
      );
      count[counted ? 'new' : 'known']++;
      judged.set(matchId, { prediction, ranks: body.ranks });
    } catch (error) {
      if (stop.aborted && mayPass(error)) break;
      if (!(error instanceof MusterProblem) || !ofTheRow.includes(error.status))
        throw new ReportingFailed(done, error);
      count.refused++;
      reporting.onRefused({ line, reason: error.message });
    }
    reporting.onProgress(++done);
  }
  return { ...count, judged: [...judged.values()] };
}
