import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { checkPlotFile } from '@muster/command-line/terminal/plot-file';
import { counted } from '@muster/command-line/terminal/table';
import { recordOf, writeRecordFile } from './wait-record.js';

export interface RecordOptions extends OperatorOptions {
  readonly queue: string;
  readonly hours: number;
}

/** Saves the waits of a queue's tickets. @throws Error with a user-facing message */
export async function recordTickets(
  file: string,
  options: RecordOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await checkPlotFile(file);
  const record = await callMuster(options, env, (operator) =>
    recordOf(operator, options.queue, options.hours),
  );
  await writeRecordFile(file, record);
  const { queue, from, until } = record.head;
  const summary = { file, queue, from, until, tickets: record.lines.length };
  print(options.json, summary, () => [
    `${file}: ${counted(record.lines.length, 'ticket')} of ${queue} that waited in the ${lately(options.hours)}.`,
  ]);
}

/** `last hour`, or the number of minutes. */
export function lately(hours: number): string {
  return hours === 1 ? 'last hour' : `last ${counted(Math.round(hours * 60), 'minute')}`;
}
