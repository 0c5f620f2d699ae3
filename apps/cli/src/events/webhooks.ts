import type { DeliveryView, WebhookView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, counted, right } from '@muster/command-line/terminal/table';
import type { OperatorClient } from '@muster/sdk';

/** Options of `muster webhooks create` and `change`. */
interface Described {
  readonly types?: readonly string[];
  readonly note: string;
}

export async function listWebhooks(ask: Ask): Promise<Answer> {
  const { webhooks } = await ask((operator) => operator.webhooks());
  return { json: { webhooks }, text: (ink) => listText(webhooks, ink) };
}

export async function createWebhook(ask: Ask, url: string, { types = [], note }: Described): Promise<Answer> {
  const made = await ask((operator) => operator.createWebhook({ url, types: [...types], note }));
  return { json: made, text: () => [`${made.webhookId} gets events from now on.`, secretText(made.secret)] };
}

export async function changeWebhook(
  ask: Ask,
  webhookId: string,
  url: string,
  { types = [], note }: Described,
): Promise<Answer> {
  const changed = await ask((operator) =>
    operator.changeWebhook(webhookId, { url, types: [...types], note }),
  );
  return { json: changed, text: (ink) => listText([changed], ink) };
}

export async function testWebhook(ask: Ask, webhookId: string): Promise<Answer> {
  const tested = await ask((operator) => operator.testWebhook(webhookId));
  const { ok, status, error, ms } = tested;
  const text = ok
    ? `The receiver answered ${status} within ${ms} ms.`
    : `The receiver did not take it: ${error ?? `it answered ${status}`}.`;
  return { json: tested, text: () => [text], exitCode: ok ? 0 : 1 };
}

const acting =
  (act: (operator: OperatorClient, webhookId: string) => Promise<WebhookView>, done: string) =>
  async (ask: Ask, webhookId: string): Promise<Answer> => {
    const webhook = await ask((operator) => act(operator, webhookId));
    return { json: webhook, text: () => [`${webhookId} ${done}.`] };
  };

export const pauseWebhook = acting((operator, id) => operator.pauseWebhook(id), 'is paused; events are kept');
export const resumeWebhook = acting((operator, id) => operator.resumeWebhook(id), 'gets events');
export const deleteWebhook = acting((operator, id) => operator.deleteWebhook(id), 'is deleted');

export async function rotateSecret(
  ask: Ask,
  webhookId: string,
  { overlapHours }: { readonly overlapHours: number },
): Promise<Answer> {
  const rotated = await ask((operator) => operator.rotateWebhookSecret(webhookId, { overlapHours }));
  const { oldSecretUntil: until, secret } = rotated;
  const overlap =
    until === null
      ? 'The secret before signs no more.'
      : `The secret before signs as well until ${moment(until)}.`;
  return { json: rotated, text: () => [secretText(secret), overlap] };
}

const secretText = (secret: string): string => `Its secret, which is shown this once: ${secret}`;

export async function listDeliveries(
  ask: Ask,
  webhookId: string,
  page: { readonly state?: 'open' | 'delivered' | 'dead'; readonly limit: number },
): Promise<Answer> {
  const { deliveries } = await ask((operator) =>
    operator.deliveries(webhookId, { state: page.state, limit: page.limit }),
  );
  return { json: { deliveries }, text: (ink) => deliveriesText(deliveries, ink) };
}

export async function retryDeliveries(
  ask: Ask,
  webhookId: string,
  given: readonly string[],
): Promise<Answer> {
  const positions = given.map(Number);
  const answer = await ask((operator) =>
    operator.retryDeliveries(webhookId, positions.length === 0 ? {} : { positions }),
  );
  return { json: answer, text: () => [`${counted(answer.retried, 'dead letter')}: due again.`] };
}

/** Webhooks as a table. */
export function listText(webhooks: readonly WebhookView[], ink: Ink): string[] {
  if (webhooks.length === 0) return ['There are no webhooks.'];
  return boldTable(
    ink,
    ['webhook', 'state', ...right('open', 'dead'), 'oldest open', 'types', 'address', 'note'],
    webhooks.map(({ webhookId, state, open, dead, oldestOpenAt, types, url, note }) => [
      webhookId,
      state,
      String(open),
      String(dead),
      oldestOpenAt === null ? '' : moment(oldestOpenAt),
      types.join(' ') || 'all',
      url,
      note,
    ]),
  );
}

/** Deliveries as a table. */
export function deliveriesText(deliveries: readonly DeliveryView[], ink: Ink): string[] {
  if (deliveries.length === 0) return ['There are no such deliveries.'];
  return boldTable(
    ink,
    [...right('position'), 'event', 'type', 'happened', 'state', ...right('attempts'), 'next', 'why'],
    deliveries.map(({ position, eventId, type, at, state, attempts, nextAt, error }) => [
      String(position),
      eventId,
      type,
      moment(at),
      state,
      String(attempts),
      nextAt === null ? '' : moment(nextAt),
      error ?? '',
    ]),
  );
}
