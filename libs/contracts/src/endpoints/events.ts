import * as webhooks from '../http/assignment/webhooks.js';
import * as headers from '../http/headers.js';
import { endpointsOf } from './endpoint.js';

const ofWebhook = ['webhook-not-found'] as const;

/** Events for receivers outside, as a stream and by webhooks. */
export const eventEndpoints = endpointsOf('assignment', {
  streamEvents: {
    call: 'GET /v1/events',
    summary: 'Follow events by server-sent events; resume with Last-Event-ID.',
    callers: ['operator'],
    query: webhooks.EventsQuery,
    headers: headers.Resumed,
    answerType: 'text/event-stream',
    problems: ['events-forgotten', 'too-busy'],
  },
  listWebhooks: {
    call: 'GET /v1/webhooks',
    summary: 'List webhooks, with what waits for each.',
    callers: ['operator'],
    answer: webhooks.WebhookList,
  },
  createWebhook: {
    call: 'POST /v1/webhooks',
    status: 201,
    summary: 'Send events to an address from now on. The answer has the secret that signs them.',
    callers: ['operator'],
    body: webhooks.WebhookBody,
    answer: webhooks.WebhookWithSecret,
    problems: ['webhooks-full'],
  },
  readWebhook: {
    call: 'GET /v1/webhooks/:webhookId',
    summary: 'Read a webhook.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookView,
    problems: ofWebhook,
  },
  changeWebhook: {
    call: 'PUT /v1/webhooks/:webhookId',
    summary: 'Change the address and the types of a webhook. What waits for it goes to the new address.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    body: webhooks.WebhookBody,
    answer: webhooks.WebhookView,
    problems: ofWebhook,
  },
  deleteWebhook: {
    call: 'DELETE /v1/webhooks/:webhookId',
    summary: 'Delete a webhook with what waits for it. Returns it.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookView,
    problems: ofWebhook,
  },
  pauseWebhook: {
    call: 'POST /v1/webhooks/:webhookId/pause',
    summary: 'Send nothing for now; events are kept for the webhook.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookView,
    problems: ofWebhook,
  },
  resumeWebhook: {
    call: 'POST /v1/webhooks/:webhookId/resume',
    summary: 'End a pause: what was kept is sent at once.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookView,
    problems: ofWebhook,
  },
  rotateWebhookSecret: {
    call: 'POST /v1/webhooks/:webhookId/secret',
    summary: 'Make a new secret; for a while messages carry signatures of both.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    body: webhooks.RotateSecret,
    answer: webhooks.WebhookWithSecret,
    problems: ofWebhook,
  },
  testWebhook: {
    call: 'POST /v1/webhooks/:webhookId/test',
    summary: 'Send a signed `webhook.test` now, and tell what came back.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookTested,
    problems: ofWebhook,
  },
  listDeliveries: {
    call: 'GET /v1/webhooks/:webhookId/deliveries',
    summary: 'List deliveries to a webhook, newest first.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    query: webhooks.PageOfDeliveries,
    answer: webhooks.DeliveryList,
    problems: ofWebhook,
  },
  retryDeliveries: {
    call: 'POST /v1/webhooks/:webhookId/deliveries/retry',
    summary: 'Retry dead letters of a webhook, for another day.',
    callers: ['operator'],
    params: webhooks.WebhookParams,
    body: webhooks.RetryDeliveries,
    answer: webhooks.DeliveriesRetried,
    problems: ofWebhook,
  },
});
