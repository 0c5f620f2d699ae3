import { CoordinatorId } from '@muster/domain/schemas';
import { z } from 'zod';
import { EventFilter } from '../events/catalogue.js';
import { Text } from '../operator-words.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs } from '../../times.js';

const filterSays =
  'must be types of events, or groups such as match.*, with commas; docs/events.md lists them';
/** The types in a query, with commas. */
const FiltersInUrl = z
  .string()
  .max(2_000)
  .transform((text) => text.split(','))
  .pipe(z.array(EventFilter, { error: filterSays }).max(100))
  .optional()
  .meta({ description: 'Types of events, or groups such as `match.*`, with commas. Default: all.' });

const Position = z.number().int().min(0).max(999_999_999_999_999);

export const EventsQuery = z.strictObject({
  types: FiltersInUrl,
  after: wholeInUrl(0, 999_999_999_999_999).optional().meta({
    description:
      'The `id` of a server-sent event: the stream continues after it. 0: from the oldest that is kept. Default: what happens from now on. `Last-Event-ID` comes first.',
  }),
});

export const WebhookParams = z.strictObject({ webhookId: CoordinatorId });

export const WebhookBody = z
  .strictObject({
    url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).max(2_000),
    types: z.array(EventFilter).max(100).default([]).meta({
      description: 'Types of events, or groups such as `match.*`; empty: all, and those of later releases.',
    }),
    note: Text.or(z.literal('')).default(''),
  })
  .meta({ id: 'WebhookRequest' });
export type WebhookBody = z.infer<typeof WebhookBody>;

const count = z.number().int().min(0);

export const WebhookView = z
  .object({
    webhookId: CoordinatorId,
    url: z.string(),
    types: z.array(z.string()),
    note: z.string(),
    state: z.enum(['active', 'paused']).meta({
      description: '`paused`: nothing is sent, and its events are kept for it.',
    }),
    pausedReason: z.string().nullable().meta({
      description: 'Of a pause that no operator asked for: the receiver answered 410.',
    }),
    createdAt: EpochMs,
    oldSecretUntil: EpochMs.nullable().meta({
      description: 'Until then messages are signed with the secret before, too; null: there is none.',
    }),
    open: count.meta({ description: 'Events that wait for it; at most 10,000 are counted.' }),
    oldestOpenAt: EpochMs.nullable().meta({ description: 'When the first of them happened.' }),
    dead: count.meta({ description: 'Dead letters; at most 10,000 are counted.' }),
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.infer<typeof WebhookView>;
export const WebhookList = z.object({ webhooks: z.array(WebhookView) }).meta({ id: 'Webhooks' });

export const WebhookWithSecret = WebhookView.extend({
  secret: z.string().meta({
    description: 'Signs messages; `whsec_` and base64. It is shown here once.',
  }),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const RotateSecret = z
  .strictObject({
    overlapHours: z.number().min(0).max(168).default(24).meta({
      description: 'How long messages are signed with the secret before, too.',
    }),
  })
  .meta({ id: 'RotateSecret' });

export const WebhookTested = z
  .object({
    ok: z.boolean(),
    status: z.number().int().nullable().meta({ description: 'Null without a response.' }),
    error: z.string().nullable(),
    ms: z.number().int(),
  })
  .meta({ id: 'WebhookTested' });
export type WebhookTested = z.infer<typeof WebhookTested>;

export const DeliveryView = z
  .object({
    position: Position.meta({ description: 'The `id` of the event in the stream.' }),
    eventId: z.string(),
    type: z.string(),
    at: EpochMs.meta({ description: 'When the event happened.' }),
    state: z.enum(['due', 'behind', 'delivered', 'dead']).meta({
      description:
        '`behind`: an earlier event of the same match is not delivered. `dead`: a day of attempts is over.',
    }),
    attempts: count,
    nextAt: EpochMs.nullable(),
    lastAt: EpochMs.nullable(),
    status: z.number().int().nullable().meta({ description: 'Of the last response; null: none came.' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.infer<typeof DeliveryView>;
export const DeliveryList = z.object({ deliveries: z.array(DeliveryView) }).meta({ id: 'WebhookDeliveries' });

export const PageOfDeliveries = z.strictObject({
  state: z.enum(['open', 'delivered', 'dead']).optional().meta({ description: '`open`: due or behind.' }),
  before: wholeInUrl(0, 999_999_999_999_999).optional().meta({ description: 'Positions below this one.' }),
  limit: wholeInUrl(1, 500).default(50),
});
export type PageOfDeliveries = z.infer<typeof PageOfDeliveries>;

export const RetryDeliveries = z
  .strictObject({
    positions: z.array(Position).min(1).max(500).optional().meta({
      description: 'Of dead letters; default: the oldest 10,000.',
    }),
  })
  .meta({ id: 'RetryDeliveries' });
export const DeliveriesRetried = z.object({ retried: count }).meta({ id: 'DeliveriesRetried' });
