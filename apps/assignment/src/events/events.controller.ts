import type { AnswerOf, WebhookBody, WebhookTested, WebhookView, WebhookWithSecret } from '@muster/contracts';
import { callerOf, Endpoint, invalid, InvalidRequest, OpenCalls, Sent } from '@muster/platform';
import { Controller, Headers, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStreams } from './event-stream.view.js';
import { ReceiverNetworks } from './receiver-networks.client.js';
import { Webhooks } from './webhooks.js';

@Controller()
export class EventsController {
  constructor(
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(OpenCalls) private readonly openCalls: OpenCalls,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
    @Inject(ReceiverNetworks) private readonly networks: ReceiverNetworks,
  ) {}

  @Endpoint('streamEvents')
  async stream(
    @Sent() { query: { types = [], after }, who }: Sent<'streamEvents'>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    if (lastEventId && !/^\d{1,15}$/.test(lastEventId))
      throw new InvalidRequest('Last-Event-ID must be the id of an event of this stream, a whole number.');
    const position = await this.streams.beginning(lastEventId ? Number(lastEventId) : after);
    // Not awaited to its end: the framework's objects of this call would stay in memory with the stream.
    await new Promise<void>((begun, refused) => {
      this.openCalls
        .hold(callerOf(who), request, (left) => {
          begun();
          return this.streams.stream(position, types, reply, left);
        })
        .catch(refused);
    });
  }

  @Endpoint('listWebhooks')
  async list(): Promise<AnswerOf<'listWebhooks'>> {
    return { webhooks: await this.webhooks.list() };
  }

  @Endpoint('createWebhook')
  create(@Sent() { body }: Sent<'createWebhook'>): Promise<WebhookWithSecret> {
    this.checkAddress(body);
    return this.webhooks.create(body);
  }

  @Endpoint('readWebhook')
  read(@Sent() { params }: Sent<'readWebhook'>): Promise<WebhookView> {
    return this.webhooks.one(params.webhookId);
  }

  @Endpoint('changeWebhook')
  change(@Sent() { params, body }: Sent<'changeWebhook'>): Promise<WebhookView> {
    this.checkAddress(body);
    return this.webhooks.change(params.webhookId, body);
  }

  @Endpoint('deleteWebhook')
  delete(@Sent() { params }: Sent<'deleteWebhook'>): Promise<WebhookView> {
    return this.webhooks.delete(params.webhookId);
  }

  @Endpoint('pauseWebhook')
  pause(@Sent() { params }: Sent<'pauseWebhook'>): Promise<WebhookView> {
    return this.webhooks.turn(params.webhookId, 'paused');
  }

  @Endpoint('resumeWebhook')
  resume(@Sent() { params }: Sent<'resumeWebhook'>): Promise<WebhookView> {
    return this.webhooks.turn(params.webhookId, 'active');
  }

  @Endpoint('rotateWebhookSecret')
  rotate(@Sent() { params, body }: Sent<'rotateWebhookSecret'>): Promise<WebhookWithSecret> {
    return this.webhooks.rotate(params.webhookId, body.overlapHours);
  }

  @Endpoint('testWebhook')
  test(@Sent() { params }: Sent<'testWebhook'>): Promise<WebhookTested> {
    return this.webhooks.test(params.webhookId);
  }

  @Endpoint('listDeliveries')
  async deliveries(@Sent() { params, query }: Sent<'listDeliveries'>): Promise<AnswerOf<'listDeliveries'>> {
    return { deliveries: await this.webhooks.listDeliveries(params.webhookId, query) };
  }

  @Endpoint('retryDeliveries')
  async retry(@Sent() { params, body }: Sent<'retryDeliveries'>): Promise<AnswerOf<'retryDeliveries'>> {
    return { retried: await this.webhooks.retry(params.webhookId, body.positions ?? null) };
  }

  /** @throws InvalidRequest for an address that may not be reached, as far as it is known before its name is looked up */
  private checkAddress({ url }: WebhookBody): void {
    const objection = this.networks.objectionTo(new URL(url));
    if (objection !== null) throw invalid([{ path: ['url'], message: objection }]);
  }
}
