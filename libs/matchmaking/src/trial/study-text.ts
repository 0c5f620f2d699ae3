import type { Comparison, Shift, TryResult } from './try-result.js';

/** How a study is read. */
export const studyLegend =
  'Replayed: the same tickets come at the same times; who cancelled leaves when they did, and all others stay until they are matched or expire. Waits are those of matched tickets. |P−½|: how far the better team’s chance is from even; a point is a hundredth of it. Spread: largest less smallest skill of a match. What nobody knows: who would have given up, had they waited longer.';

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

/** A row for each figure: its name, then its value in each result. Outcomes without tickets are omitted. */
export function studyRows(results: readonly TryResult[]): string[][] {
  return rows.flatMap(([name, of, always = false]) => {
    const cells = results.map(of);
    return always || cells.some((cell) => cell !== '0') ? [[name, ...cells]] : [];
  });
}

/** The tickets with another outcome, and the size of the difference; lines that are details begin with spaces. */
export function comparisonLines(comparison: Comparison): string[] {
  const { inBoth, longer, shorter, fairer, lessFair, gained, lost } = comparison;
  const some = ({ tickets, median }: Shift, word: string, told: (value: number) => string): string =>
    tickets === 0
      ? `none ${word}`
      : `${count(tickets)} (${percent(tickets / inBoth)}) ${word} (median ${told(median)})`;
  const chance = (value: number): string => `${(100 * value).toFixed(1)} points`;
  return [
    ...(inBoth === 0
      ? ['no ticket finds a match either way']
      : [
          `of ${ticketsOf(inBoth)} that find a match either way`,
          `  ${some(longer, 'would have waited longer', seconds)}, ${some(shorter, 'shorter', seconds)}`,
          `  ${some(fairer, 'would have been in a fairer match', chance)}, ${some(lessFair, 'in a less fair one', chance)}`,
        ]),
    ...(gained > 0 ? [`${ticketsOf(gained)} would have found a match that found none`] : []),
    ...(lost > 0 ? [`${ticketsOf(lost)} would have found none that found one`] : []),
  ];
}

function ticketsOf(number: number): string {
  return `${count(number)} ${number === 1 ? 'ticket' : 'tickets'}`;
}

function seconds(ms: number | undefined): string {
  if (ms === undefined) return '–';
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}
