import { eventGroups, type AnswerOf } from '@muster/contracts';
import type { Field } from '../ui/action.js';

export type Webhook = AnswerOf<'readWebhook'>;
export type Delivery = AnswerOf<'listDeliveries'>['deliveries'][number];

/** The services count no further. */
const mostCounted = 10_000;

/** A number that is counted up to a limit. */
export const countedWords = (count: number): string =>
  count >= mostCounted ? `${mostCounted.toLocaleString()} or more` : count.toLocaleString();

export const typesWords = (types: readonly string[]): string =>
  types.length === 0 ? 'all' : types.join(', ');

/** Types as they are typed: with commas, spaces or lines between. */
export const typesIn = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

/** What is asked for a webhook that is new, or changed. */
export const fieldsOf = (known?: Webhook): readonly Field[] => [
  {
    name: 'url',
    label: 'Address',
    kind: 'text',
    initial: known?.url ?? '',
    description:
      'It gets a POST for each event. It is https and public, unless WEBHOOK_NETWORKS allows more.',
  },
  {
    name: 'types',
    label: 'Event types',
    kind: 'long',
    isOptional: true,
    initial: known?.types.join(', ') ?? '',
    description: `Types such as match.rated or groups, separated by commas. Groups: ${eventGroups.join(', ')}. Empty: all types, including those of later releases.`,
  },
  {
    name: 'note',
    label: 'Note',
    kind: 'text',
    isOptional: true,
    initial: known?.note ?? '',
    description: 'What the receiver is and who owns it.',
  },
];

/** Why a webhook is paused. */
export function pauseWords({ state, pausedReason }: Pick<Webhook, 'state' | 'pausedReason'>): string | null {
  if (state !== 'paused') return null;
  return pausedReason ?? 'Paused by an operator; the audit log names them.';
}

export const deliveryWords: Readonly<Record<Delivery['state'], string>> = {
  due: 'waiting',
  behind: 'behind an earlier event',
  delivered: 'delivered',
  dead: 'dead letter',
};

/** What came of the last attempt. */
export function attemptWords({
  attempts,
  status,
  error,
}: Pick<Delivery, 'attempts' | 'status' | 'error'>): string {
  if (attempts === 0) return 'no attempt yet';
  const said = status === null ? 'no response' : `status ${status}`;
  return error === null || error === '' ? said : `${said}: ${error}`;
}

/** What a test said. @throws Error where the receiver did not take it */
export function testedWords({ ok, status, error, ms }: AnswerOf<'testWebhook'>): string {
  const said = status === null ? 'No response' : `The receiver answered ${status} in ${ms} ms`;
  if (!ok) throw new Error(`${said}. ${error ?? 'It must answer with a status from 200 to 299.'}`);
  return `${said}.`;
}
