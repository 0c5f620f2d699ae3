import type { AnswerOf, PauseView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { right, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster queue pause`. */
interface PauseOptions {
  readonly message: string;
  /** Milliseconds. */
  readonly for?: number;
  readonly returnWaiting: boolean;
}

export async function listQueues(ask: Ask): Promise<Answer> {
  const { queues, maintenance } = await ask((operator) => operator.queues());
  const rows = queues.map(({ name, mode, teams, teamSize, version, paused }) => [
    name,
    mode,
    `${teams} × ${teamSize}`,
    String(version),
    paused ? pauseWords(paused) : '',
  ]);
  return {
    json: { queues, maintenance },
    text: () => [
      ...tableLines(['queue', 'mode', 'teams', ...right('rules'), 'paused'], rows),
      ...(maintenance ? ['', `Maintenance ${pauseWords(maintenance)}`] : []),
    ],
  };
}

export async function pauseQueue(ask: Ask, queue: string, options: PauseOptions): Promise<Answer> {
  const answer = await ask((operator) => operator.pauseQueue(queue, bodyOf(options, Date.now())));
  return answerOf(answer);
}

export async function resumeQueue(ask: Ask, queue: string): Promise<Answer> {
  return answerOf(await ask((operator) => operator.resumeQueue(queue)));
}

export async function showMaintenance(ask: Ask): Promise<Answer> {
  return maintenanceAnswer(await ask((operator) => operator.maintenance()));
}

export async function beginMaintenance(
  ask: Ask,
  options: PauseOptions & { readonly at?: number },
): Promise<Answer> {
  const startsAt = options.at;
  const body = { ...bodyOf(options, startsAt ?? Date.now()), startsAt };
  return maintenanceAnswer(await ask((operator) => operator.announceMaintenance(body)));
}

export async function endMaintenance(ask: Ask): Promise<Answer> {
  return maintenanceAnswer(await ask((operator) => operator.endMaintenance()));
}

function bodyOf({ message, returnWaiting, for: lasts }: PauseOptions, from: number) {
  const waiting = returnWaiting ? ('returned' as const) : ('kept' as const);
  return { message, waiting, ...(lasts === undefined ? {} : { until: from + lasts }) };
}

function answerOf(answer: AnswerOf<'pauseQueue'>): Answer {
  const { queue, paused } = answer;
  const text = paused ? `${queue} is paused ${pauseWords(paused)}` : `${queue} takes tickets.`;
  return { json: answer, text: () => [text] };
}

function maintenanceAnswer(answer: AnswerOf<'readMaintenance'>): Answer {
  const { maintenance, inForce } = answer;
  const text = maintenance
    ? `Maintenance is ${inForce ? 'in force' : 'announced'} ${pauseWords(maintenance)}`
    : 'There is no maintenance.';
  return { json: answer, text: () => [text] };
}

/** How long a pause lasts, what becomes of waiting tickets, and what players read. */
function pauseWords({ startsAt, until, waiting, message }: PauseView): string {
  const end = until === null ? 'until it is ended' : `until ${moment(until)}`;
  return `from ${moment(startsAt)} ${end}; waiting tickets are ${waiting}: ${message}`;
}
