import type { QueueRules } from '@muster/domain';
import type { Comparison, Shift, TryResult } from '@muster/matchmaking';
import { basename } from 'node:path';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, counted, right, wrapped } from '@muster/command-line/terminal/table';
import type { WaitRecord } from './wait-record.js';

/** The result of replaying a record under rules. Times in milliseconds since the epoch. */
export interface TryStudy {
  readonly queue: string;
  readonly from: number;
  readonly until: number;
  readonly file: string;
  /** The rules that replace those in force; null: those in force. */
  readonly against: string | null;
  readonly recorded: TryResult;
  readonly inForce: TryResult;
  readonly tried: TryResult;
  readonly comparedToRecord: Comparison;
  readonly comparedToInForce: Comparison;
  /** Caveats. */
  readonly notes: readonly string[];
}

const legend =
  'Replayed: the same tickets come at the same times; who cancelled leaves when they did, and all others stay until they are matched or expire. Waits are those of matched tickets. |P−½|: how far the better team’s chance is from even; a point is a hundredth of it. Spread: largest less smallest skill of a match. What nobody knows: who would have given up, had they waited longer.';

/** A table, a comparison and the caveats. */
export function studyText(study: TryStudy, ink: Ink): string[] {
  const { queue, from, until, recorded, inForce, tried, against, file } = study;
  const other = against === null ? 'in force' : basename(against);
  const name = basename(file);
  const table = boldTable(
    ink,
    ['', ...right('as recorded', `${other}, replayed`, `${name}, replayed`)],
    rowsOf([recorded, inForce, tried]),
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
    ...wrapped(legend).map((line) => ink.dim(line)),
  ];
}

type Row = readonly [name: string, of: (result: TryResult) => string, always?: boolean];

const count = (value: number): string => value.toLocaleString('en');

const rows: readonly Row[] = [
  ['tickets', ({ tickets }) => count(tickets.length), true],
  ['  matched', ({ ends }) => count(ends.matched), true],
  ['  cancelled', ({ ends }) => count(ends.left)],
  ['  expired', ({ ends }) => count(ends.expired)],
  ['  waiting at the end', ({ ends }) => count(ends.waiting)],
  ['  refused, party too large', ({ ends }) => count(ends.refused)],
  ['  not come, still waiting', ({ ends }) => count(ends.busy)],
  ['matches', ({ matches }) => count(matches), true],
  ['wait, p50', ({ waitMs }) => seconds(waitMs?.p50), true],
  ['wait, p90', ({ waitMs }) => seconds(waitMs?.p90), true],
  ['wait, p99', ({ waitMs }) => seconds(waitMs?.p99), true],
  ['|P−½|, mean', ({ unfairness }) => unfairness?.toFixed(3) ?? '–', true],
  ['beyond 40–60 %', ({ lopsided }) => (lopsided === null ? '–' : percent(lopsided)), true],
  ['spread, mean', ({ spread }) => spread?.toFixed(1) ?? '–', true],
];

/** Outcomes without tickets are omitted. */
function rowsOf(results: readonly TryResult[]): string[][] {
  return rows.flatMap(([name, of, always = false]) => {
    const cells = results.map(of);
    return always || cells.some((cell) => cell !== '0') ? [[name, ...cells]] : [];
  });
}

/** The tickets with another outcome, and the size of the difference. */
function compared(what: string, comparison: Comparison): string[] {
  const { inBoth, longer, shorter, fairer, lessFair, gained, lost } = comparison;
  const some = ({ tickets, median }: Shift, word: string, told: (value: number) => string): string =>
    tickets === 0
      ? `none ${word}`
      : `${count(tickets)} (${percent(tickets / inBoth)}) ${word} (median ${told(median)})`;
  const chance = (value: number): string => `${(100 * value).toFixed(1)} points`;
  return [
    `Compared with ${what}:`,
    ...(inBoth === 0
      ? ['  no ticket finds a match either way']
      : [
          `  of ${counted(inBoth, 'ticket')} that find a match either way`,
          `    ${some(longer, 'would have waited longer', seconds)}, ${some(shorter, 'shorter', seconds)}`,
          `    ${some(fairer, 'would have been in a fairer match', chance)}, ${some(lessFair, 'in a less fair one', chance)}`,
        ]),
    ...(gained > 0 ? [`  ${counted(gained, 'ticket')} would have found a match that found none`] : []),
    ...(lost > 0 ? [`  ${counted(lost, 'ticket')} would have found none that found one`] : []),
  ];
}

/** The limits of a replay of this record. */
export function notesOn(
  { head, lines }: WaitRecord,
  inForce: QueueRules,
  tried: QueueRules,
  name: string,
): string[] {
  const versions = new Set(lines.flatMap(({ rulesVersion }) => rulesVersion ?? []));
  const before = [...versions].filter((version) => version !== head.rules.version).sort((a, b) => a - b);
  const canPlay = new Set(
    lines.flatMap(({ players }) => players.flatMap(({ canPlay: roles = [] }) => roles)),
  );
  const unknown = Object.keys(tried.roles ?? {}).filter((role) => !canPlay.has(role));
  return [
    ...(before.length > 0
      ? [
          `some tickets were told earlier rules (version ${before.join(', ')}; in force is ${head.rules.version}), so the record is not of one set of rules.`,
        ]
      : []),
    ...(tried.pool === head.rules.pool
      ? []
      : [
          `${name} reads the rating pool ${tried.pool}, and the ratings recorded are those of ${head.rules.pool}.`,
        ]),
    ...(unknown.length > 0
      ? [
          `${name} demands roles that nobody recorded said they can play (${unknown.join(', ')}), so they stay unfilled.`,
        ]
      : []),
    ...(tried.entry && JSON.stringify(tried.entry) !== JSON.stringify(inForce.entry)
      ? [`whom the entry of ${name} would keep out is not known from a record.`]
      : []),
  ];
}

function seconds(ms: number | undefined): string {
  if (ms === undefined) return '–';
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}
