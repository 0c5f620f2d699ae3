import { readWaitRecord } from '@muster/sdk';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { checkPlotFile } from '@muster/command-line/terminal/plot-file';
import { counted } from '@muster/command-line/terminal/table';
import { writeRecordFile } from './wait-record.js';

/** Saves the waits of a queue's tickets. */
export async function recordTickets(
  ask: Ask,
  file: string,
  options: { readonly queue: string; readonly hours: number },
): Promise<Answer> {
  await checkPlotFile(file);
  const { head, lines } = await ask((operator) => readWaitRecord(operator, options.queue, options.hours));
  await writeRecordFile(file, { head, lines });
  const { queue, from, until } = head;
  const text = `${file}: ${counted(lines.length, 'ticket')} of ${queue} that waited in the ${lately(options.hours)}.`;
  return { json: { file, queue, from, until, tickets: lines.length }, text: () => [text] };
}

/** `last hour`, or the number of minutes. */
export function lately(hours: number): string {
  return hours === 1 ? 'last hour' : `last ${counted(Math.round(hours * 60), 'minute')}`;
}
