import type { QueueRules } from '@muster/domain';
import { studyRules, trialNotes, type Trial } from '@muster/matchmaking';
import { readWaitRecord, recordedTickets, type WaitRecord } from '@muster/sdk';
import { basename } from 'node:path';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { rulesFrom } from '@muster/command-line/rules/rules-source';
import { moment } from '@muster/command-line/terminal/moment';
import { Progress } from '@muster/command-line/terminal/progress';
import { readValidRules, type ValidRules } from '@muster/command-line/rules/document';
import { lately } from './record.js';
import { studyText, type TryStudy } from './try-text.js';
import { readRecordFile } from './wait-record.js';

export interface TryOptions {
  readonly queue?: string;
  readonly tickets?: string;
  readonly hours: number;
  readonly against?: string;
  readonly tickMs: number;
}

const minuteMs = 60_000;

/**
 * Replays recorded tickets under the rules of a file, and compares with the record and with the rules in force. Nothing
 * is changed.
 *
 * @throws Error with a user-facing message
 */
export async function tryRulesFile(ask: Ask, file: string, options: TryOptions): Promise<Answer> {
  const document = await readValidRules(file);
  const { record, rules } = await recordAndRules(ask, file, document, options);
  const { from, until, queue } = record.head;
  if (record.lines.length === 0) {
    const when = options.tickets === undefined ? `in the ${lately(options.hours)}` : `in ${options.tickets}`;
    throw new Error(
      `No tickets of "${queue}" were recorded ${when} (until ${moment(until)} UTC), so there is nothing to replay.`,
    );
  }
  const inForce = options.against === undefined ? record.head.rules : await rulesFrom(options.against);
  const minutes = Math.max(1, Math.round((until - from) / minuteMs));
  const progress = new Progress(process.stderr, 2 * minutes, undefined, 'replayed minutes');
  const trial: Trial = {
    tickets: recordedTickets(record),
    from,
    until,
    recordedRules: record.head.rules,
    inForce,
    tried: rules,
    tickMs: options.tickMs,
    progress: (done) => progress.at(Math.round(2 * minutes * done)),
  };
  const replayed = studyRules(trial);
  progress.clear();

  const study: TryStudy = {
    queue,
    from,
    until,
    file,
    against: options.against ?? null,
    ...replayed,
    notes: trialNotes(trial, basename(file)),
  };
  return { json: study, text: (ink) => studyText(study, ink) };
}

async function recordAndRules(
  ask: Ask,
  file: string,
  document: ValidRules,
  { tickets, queue, hours }: TryOptions,
): Promise<{ readonly record: WaitRecord; readonly rules: QueueRules }> {
  if (tickets !== undefined) {
    const record = await readRecordFile(tickets);
    if (queue !== undefined && queue !== record.head.queue)
      throw new Error(`${tickets} is a record of "${record.head.queue}", not of "${queue}".`);
    return { record, rules: rulesIn(file, document, queue, record.head.queue) };
  }
  const rules = rulesIn(file, document, queue, undefined);
  return { record: await ask((operator) => readWaitRecord(operator, queue ?? rules.name, hours)), rules };
}

/** The rules to try: those of the named or recorded queue, or the only ones where any queue is accepted. */
function rulesIn(
  file: string,
  { queues }: ValidRules,
  named: string | undefined,
  recorded: string | undefined,
): QueueRules {
  const wanted = named ?? recorded;
  const found = queues.find(({ name }) => name === wanted);
  if (found) return found;
  const [only, ...others] = queues;
  if (only && others.length === 0 && (named !== undefined || recorded === undefined)) return only;
  const there = `There is ${queues.map(({ name }) => name).join(', ')}.`;
  if (wanted === undefined)
    throw new Error(`${file} has the rules of ${queues.length} queues; select one with --queue. ${there}`);
  const hint = only && others.length === 0 ? ` --queue ${wanted} tries it on that record.` : '';
  throw new Error(`${file} has no queue "${wanted}". ${there}${hint}`);
}
