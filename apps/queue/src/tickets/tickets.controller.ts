import { IdempotencyKey, whyOf, type PartyPassView, type TicketView } from '@muster/contracts';
import { PlayerTwice, type TicketRecord } from '@muster/domain';
import {
  callerOf,
  CoordinatorTokens,
  Endpoint,
  InvalidRequest,
  OpenCalls,
  playerOf,
  Sent,
  vouchedPlayerOf,
  Who,
  type Identity,
} from '@muster/platform';
import { Controller, Headers, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Enqueue } from './enqueue.js';
import { numbersOf } from './event-numbers.js';
import { ExplainWaiting } from '../matching/explain-waiting.js';
import { ReadyChecks } from '../matching/ready-checks.js';
import { VouchedNames } from '../services/vouched-names.js';
import { ReadTickets, type Viewer } from '../core/read-tickets.js';
import { CancelTicket } from './cancel-ticket.js';
import { TicketStreams } from './ticket-stream.view.js';
import { TicketViews } from './ticket.view.js';

const viewerOf = (who: Identity): Viewer => (who.kind === 'operator' ? null : playerOf(who));

@Controller()
export class TicketsController {
  constructor(
    @Inject(Enqueue) private readonly enqueue: Enqueue,
    @Inject(ReadTickets) private readonly tickets: ReadTickets,
    @Inject(CancelTicket) private readonly cancelTicket: CancelTicket,
    @Inject(ReadyChecks) private readonly readyChecks: ReadyChecks,
    @Inject(ExplainWaiting) private readonly explain: ExplainWaiting,
    @Inject(TicketViews) private readonly views: TicketViews,
    @Inject(TicketStreams) private readonly streams: TicketStreams,
    @Inject(CoordinatorTokens) private readonly tokens: CoordinatorTokens,
    @Inject(OpenCalls) private readonly openCalls: OpenCalls,
    @Inject(VouchedNames) private readonly names: VouchedNames,
  ) {}

  @Endpoint('createTicket')
  async create(
    @Sent() { body, who }: Sent<'createTicket'>,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<TicketView> {
    if (idempotencyKey !== undefined && !IdempotencyKey.safeParse(idempotencyKey).success) {
      throw new InvalidRequest('The Idempotency-Key must be 1 to 128 visible ASCII characters.');
    }
    const caller = vouchedPlayerOf(who);
    this.names.note(caller);
    const leader = caller.playerId;
    const { partyPasses, latencyMs, canPlay, platform, crossPlay, ...asked } = body;
    if (asked.partyId !== undefined && partyPasses.length > 0)
      throw new InvalidRequest('Queue a party by its partyId or by partyPasses, not by both.');
    const now = this.views.now();
    const record = await this.enqueue.run({
      ...asked,
      build: asked.build,
      leader: { ...caller, latencyMs, canPlay, platform: caller.platform ?? platform, crossPlay },
      members: partyPasses.map((pass) => this.tokens.readPartyPass(pass, leader, now)),
      idempotencyKey,
    });
    return this.views.ticket(record, leader);
  }

  @Endpoint('readTicket')
  async read(
    @Sent() { params: { ticketId }, query: { after, waitSeconds }, who }: Sent<'readTicket'>,
    @Req() request: FastifyRequest,
  ): Promise<TicketView> {
    const viewer = viewerOf(who);
    const record = await this.tickets.read(ticketId, viewer);
    if (after === undefined) return this.show(record, viewer);
    const { known, offset } = numbersOf(after, record.seq);
    if (waitSeconds === 0 || record.seq > known || record.closed) return this.show(record, viewer, offset);
    await this.openCalls.hold(callerOf(who), request, (left) =>
      this.streams.waitForEventAfter(ticketId, known, waitSeconds * 1000, left),
    );
    const latest = await this.tickets.read(ticketId, viewer);
    return this.show(latest, viewer, numbersOf(after, latest.seq).offset);
  }

  @Endpoint('cancelTicket')
  async cancel(@Sent() { params, who }: Sent<'cancelTicket'>): Promise<TicketView> {
    const viewer = viewerOf(who);
    return this.views.ticket(await this.cancelTicket.run(params.ticketId, viewer), viewer);
  }

  @Endpoint('acceptMatch')
  async accept(@Sent() { params, who }: Sent<'acceptMatch'>): Promise<TicketView> {
    const playerId = playerOf(who);
    return this.views.ticket(await this.readyChecks.accept(params.ticketId, playerId), playerId);
  }

  @Endpoint('declineMatch')
  async decline(@Sent() { params, who }: Sent<'declineMatch'>): Promise<TicketView> {
    const playerId = playerOf(who);
    return this.views.ticket(await this.readyChecks.decline(params.ticketId, playerId), playerId);
  }

  @Endpoint('streamTicket')
  async stream(
    @Sent() { params: { ticketId }, who }: Sent<'streamTicket'>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    if (lastEventId && !/^\d{1,15}$/.test(lastEventId)) {
      throw new InvalidRequest('Last-Event-ID must be the id of an event of this stream, a whole number.');
    }
    const after = Number(lastEventId ?? 0);
    const viewer = viewerOf(who);
    const { closed, seq } = await this.tickets.read(ticketId, viewer);
    const numbers = numbersOf(after, seq);
    // Nothing will follow: a 204 stops an EventSource from reconnecting.
    if (closed && numbers.known >= seq) return void (await reply.status(204).send());
    // Not awaited to its end: the framework's objects of this call would stay in memory with the stream.
    await new Promise<void>((begun, refused) => {
      this.openCalls
        .hold(callerOf(who), request, (left) => {
          begun();
          return this.streams.stream(ticketId, viewer, numbers, reply, left);
        })
        .catch(refused);
    });
  }

  @Endpoint('myTicket')
  async mine(@Who() who: Identity): Promise<TicketView> {
    const playerId = playerOf(who);
    return this.show(await this.tickets.current(playerId), playerId);
  }

  /** A ticket, with the explanation while it waits. @param offset see {@link numbersOf} */
  private async show(record: TicketRecord, viewer: Viewer, offset = 0): Promise<TicketView> {
    const waiting = record.state === 'waiting' ? await this.explain.of(record) : undefined;
    return {
      ...this.views.ticket(record, viewer),
      seq: record.seq + offset,
      ...(waiting ? { waiting: { ...waiting, ...whyOf(waiting.why) } } : {}),
    };
  }

  @Endpoint('createPartyPass')
  partyPass(
    @Sent() { body: { leader, ...brings }, who }: Sent<'createPartyPass'>,
  ): z.infer<typeof PartyPassView> {
    const member = vouchedPlayerOf(who);
    this.names.note(member);
    if (member.playerId === leader)
      throw new PlayerTwice('You need no pass to queue yourself; name the leader of your party.');
    return this.tokens.partyPass(
      { ...member, ...brings, platform: member.platform ?? brings.platform },
      leader,
      this.views.now(),
    );
  }
}
