import {
  comparisonLines,
  studyLegend,
  studyRows,
  trialNotes,
  type Study,
  type Trial,
  type TriedTicket,
} from '@muster/matchmaking';

/** Shares of tickets up to each value of x, for the record, the rules in force and the changed ones. */
export interface Shares {
  readonly x: readonly number[];
  readonly recorded: readonly number[];
  readonly inForce: readonly number[];
  readonly tried: readonly number[];
}

/** What is shown of a study: small, however many tickets were replayed. */
export interface ShownStudy {
  readonly from: number;
  readonly until: number;
  readonly tickets: number;
  readonly rows: readonly (readonly string[])[];
  readonly comparedToRecord: readonly string[];
  readonly comparedToInForce: readonly string[];
  readonly notes: readonly string[];
  readonly legend: string;
  /** Tickets that are matched within x seconds, of all. */
  readonly waits: Shares;
  /** Tickets of matches whose favourite leads by at most x percentage points, of those matched. */
  readonly leads: Shares;
}

export function shownStudy(trial: Trial, study: Study): ShownStudy {
  const { recorded, inForce, tried } = study;
  return {
    from: trial.from,
    until: trial.until,
    tickets: recorded.tickets.length,
    rows: studyRows([recorded, inForce, tried]),
    comparedToRecord: comparisonLines(study.comparedToRecord),
    comparedToInForce: comparisonLines(study.comparedToInForce),
    notes: trialNotes(trial, 'the draft'),
    legend: studyLegend,
    waits: shares(study, waitSeconds, 'all'),
    leads: shares(study, leadPoints, 'matched'),
  };
}

const waitSeconds = ({ outcome, waitMs }: TriedTicket): number | null =>
  outcome === 'matched' ? waitMs / 1_000 : null;
const leadPoints = ({ outcome, unfairness }: TriedTicket): number | null =>
  outcome === 'matched' && unfairness !== null ? 100 * unfairness : null;

const points = 100;

function shares(
  { recorded, inForce, tried }: Study,
  of: (ticket: TriedTicket) => number | null,
  among: 'all' | 'matched',
): Shares {
  const values = [recorded, inForce, tried].map(({ tickets }) =>
    tickets.flatMap((ticket) => of(ticket) ?? []).toSorted((a, b) => a - b),
  );
  const most = values.reduce((all, each) => Math.max(all, each.at(-1) ?? 0), 0);
  const x = Array.from({ length: points + 1 }, (_, i) => ((most || 1) * i) / points);
  const totals = [recorded, inForce, tried].map(({ tickets }, i) =>
    among === 'all' ? tickets.length : (values[i]?.length ?? 0),
  );
  const [first = [], second = [], third = []] = values.map((each, i) =>
    x.map((value) => countUpTo(each, value) / Math.max(1, totals[i] ?? 0)),
  );
  return { x, recorded: first, inForce: second, tried: third };
}

/** How many are at most a value. @param sorted rising */
function countUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
