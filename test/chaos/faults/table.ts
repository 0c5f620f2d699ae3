import type { Outcome } from './row.js';

const columns = ['lost', 'twice', 'stuck', 'wrong'] as const;
/** The width of the names of rows. */
export const nameWidth = 40;
const width = 7;

/** The first line of the table. */
export const heading = [
  'fault'.padEnd(nameWidth),
  ...columns.map((column) => column.padStart(width)),
  'recovers'.padStart(10),
  'tickets'.padStart(9),
  'results'.padStart(9),
].join('');

/** A row of the table. */
export function line(outcome: Outcome, good: boolean): string {
  const { fault, recoverySeconds, tickets, results } = outcome;
  return [
    fault.padEnd(nameWidth),
    ...columns.map((column) => String(outcome[column]).padStart(width)),
    (recoverySeconds === null ? 'never' : `${recoverySeconds.toFixed(1)} s`).padStart(10),
    String(tickets).padStart(9),
    String(results).padStart(9),
    good ? '' : '  FAILED',
  ].join('');
}
