import { whyOf, type WaitingFacts } from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { ReadRecord } from './read-record.js';
import { ShowWaiting, type WaitingPage, type WaitingTicket } from './show-waiting.js';

/** The waiting tickets of a queue, and the record of those that waited, for operators. */
@Controller()
export class WaitingController {
  constructor(
    @Inject(ShowWaiting) private readonly show: ShowWaiting,
    @Inject(ReadRecord) private readonly record: ReadRecord,
  ) {}

  @Endpoint('listWaiting')
  async waiting(@Sent() { params: { queue }, query }: Sent<'listWaiting'>): Promise<
    Omit<WaitingPage, 'waiting'> & {
      queue: string;
      waiting: (WaitingFacts & Omit<WaitingTicket, 'why'>)[];
    }
  > {
    const { waiting, ...page } = await this.show.run(queue, query);
    return { queue, ...page, waiting: waiting.map((ticket) => ({ ...ticket, ...whyOf(ticket.why) })) };
  }

  @Endpoint('readRecord')
  async recorded(@Sent() { params, query }: Sent<'readRecord'>, @Res() reply: FastifyReply): Promise<void> {
    const { head, pages } = await this.record.open(params.queue, query.hours);
    await reply.header('content-type', 'application/x-ndjson').send(Readable.from(linesOf(head, pages)));
  }
}

async function* linesOf(head: object, pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`;
  for await (const page of pages) yield page.map((each) => `${JSON.stringify(each)}\n`).join('');
}
