import {
  CreatePartyPass,
  CreateTicket,
  TicketParams,
  WaitForTicket,
  type TicketView,
} from '@muster/contracts';
import { PlayerTwice } from '@muster/domain';
import { CoordinatorTokens, Endpoint, InvalidRequest, playerOf, Who, type Identity } from '@muster/platform';
import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Enqueue } from '../use-cases/enqueue.js';
import { MyTickets, type Asker } from '../use-cases/my-tickets.js';
import { TicketStreams } from './ticket-stream.js';
import { TicketViews } from './ticket-view.js';

const askerOf = (who: Identity): Asker => (who.kind === 'operator' ? null : playerOf(who));

@Controller()
export class TicketsController {
  constructor(
    @Inject(Enqueue) private readonly enqueue: Enqueue,
    @Inject(MyTickets) private readonly tickets: MyTickets,
    @Inject(TicketViews) private readonly views: TicketViews,
    @Inject(TicketStreams) private readonly streams: TicketStreams,
    @Inject(CoordinatorTokens) private readonly tokens: CoordinatorTokens,
  ) {}

  @Endpoint('createTicket')
  async create(
    @Body({ schema: CreateTicket }) body: CreateTicket,
    @Who() who: Identity,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<TicketView> {
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,128}$/.test(idempotencyKey)) {
      throw new InvalidRequest('The Idempotency-Key must be 1 to 128 visible ASCII characters.');
    }
    const leader = playerOf(who);
    const members = await Promise.all(
      body.partyPasses.map((pass) => this.tokens.readPartyPass(pass, leader)),
    );
    const { queue, build, latencyMs } = body;
    const record = await this.enqueue.run({
      queue,
      build,
      latencyMs,
      playerIds: [leader, ...members],
      idempotencyKey,
    });
    return this.views.ticket(record, leader);
  }

  @Endpoint('readTicket')
  async read(
    @Param({ schema: TicketParams }) { ticketId }: z.infer<typeof TicketParams>,
    @Query({ schema: WaitForTicket }) { after, waitSeconds }: z.infer<typeof WaitForTicket>,
    @Who() who: Identity,
  ): Promise<TicketView> {
    const asker = askerOf(who);
    const record = await this.tickets.read(ticketId, asker);
    if (after === undefined || waitSeconds === 0 || record.seq > after || record.closed)
      return this.views.ticket(record, asker);
    await this.streams.waitBeyond(ticketId, after, waitSeconds * 1000);
    return this.views.ticket(await this.tickets.read(ticketId, asker), asker);
  }

  @Endpoint('cancelTicket')
  async cancel(
    @Param({ schema: TicketParams }) { ticketId }: z.infer<typeof TicketParams>,
    @Who() who: Identity,
  ): Promise<TicketView> {
    const asker = askerOf(who);
    return this.views.ticket(await this.tickets.cancel(ticketId, asker), asker);
  }

  @Endpoint('streamTicket')
  async stream(
    @Param({ schema: TicketParams }) { ticketId }: z.infer<typeof TicketParams>,
    @Who() who: Identity,
    @Res() reply: FastifyReply,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    if (lastEventId && !/^\d{1,15}$/.test(lastEventId)) {
      throw new InvalidRequest('Last-Event-ID must be the id of an event of this stream, a whole number.');
    }
    const after = Number(lastEventId ?? 0);
    const asker = askerOf(who);
    const { closed, seq } = await this.tickets.read(ticketId, asker);
    // Nothing will ever come: by a 204 an EventSource learns not to ask again.
    if (closed && after >= seq) return void (await reply.status(204).send());
    await this.streams.stream(ticketId, asker, after, reply);
  }

  @Endpoint('myTicket')
  async mine(@Who() who: Identity): Promise<TicketView> {
    const playerId = playerOf(who);
    return this.views.ticket(await this.tickets.current(playerId), playerId);
  }

  @Endpoint('createPartyPass')
  partyPass(
    @Body({ schema: CreatePartyPass }) { leader }: z.infer<typeof CreatePartyPass>,
    @Who() who: Identity,
  ): Promise<{ pass: string; expiresAt: number }> {
    const member = playerOf(who);
    if (member === leader)
      throw new PlayerTwice('You need no pass to queue yourself; name the leader of your party.');
    return this.tokens.partyPass(member, leader, Date.now());
  }
}
