import { comparisonLines, studyLegend, studyRows, type Comparison, type Study } from '@muster/matchmaking';
import { basename } from 'node:path';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, counted, indented, right, wrapped } from '@muster/command-line/terminal/table';

/** The result of replaying a record under rules. Times in milliseconds since the epoch. */
export interface TryStudy extends Study {
  readonly queue: string;
  readonly from: number;
  readonly until: number;
  readonly file: string;
  /** The rules that replace those in force; null: those in force. */
  readonly against: string | null;
  /** Caveats. */
  readonly notes: readonly string[];
}

/** A table, a comparison and the caveats. */
export function studyText(study: TryStudy, ink: Ink): string[] {
  const { queue, from, until, recorded, inForce, tried, against, file } = study;
  const other = against === null ? 'in force' : basename(against);
  const name = basename(file);
  const table = boldTable(
    ink,
    ['', ...right('as recorded', `${other}, replayed`, `${name}, replayed`)],
    studyRows([recorded, inForce, tried]),
  );
  const either = against === null ? 'the rules in force' : other;
  return [
    `${ink.bold(queue)}: ${counted(recorded.tickets.length, 'ticket')} that waited from ${moment(from)} to ${moment(until)} UTC`,
    '',
    ...table,
    '',
    ...compared('what was recorded', study.comparedToRecord),
    ...compared(`${either}, replayed`, study.comparedToInForce),
    '',
    ...study.notes.flatMap((note) => wrapped(`Note: ${note}`)),
    ...wrapped(studyLegend).map((line) => ink.dim(line)),
  ];
}

function compared(what: string, comparison: Comparison): string[] {
  return [`Compared with ${what}:`, ...indented(comparisonLines(comparison))];
}
