import {
  ApplyRules,
  PageOfRules,
  QueueParams,
  ReadRecord as RecordQuery,
  rulesDocumentSchema,
  viewsOf,
  whyOf,
  type MessageView,
  type WaitingFacts,
} from '@muster/contracts';
import type { QueueRules, RulesVersion } from '@muster/domain';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Header, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { FollowRules } from './follow-rules.js';
import { PutRules } from './put-rules.js';
import { Queues } from './queues.js';
import { ReadRecord } from '../matching/read-record.js';
import { ShowWaiting, type WaitingTicket } from '../matching/show-waiting.js';

type Params = z.infer<typeof QueueParams>;

const schema = JSON.stringify(rulesDocumentSchema());

@Controller()
export class QueuesController {
  constructor(
    @Inject(Queues) private readonly queues: Queues,
    @Inject(ShowWaiting) private readonly show: ShowWaiting,
    @Inject(FollowRules) private readonly follow: FollowRules,
    @Inject(PutRules) private readonly put: PutRules,
    @Inject(ReadRecord) private readonly record: ReadRecord,
  ) {}

  @Endpoint('listQueues')
  list(): { queues: (QueueRules & { readonly version: number })[] } {
    return { queues: this.queues.newest.map(({ rules, version }) => ({ ...rules, version })) };
  }

  @Endpoint('listWaiting')
  async waiting(
    @Param({ schema: QueueParams }) { queue }: Params,
  ): Promise<{ queue: string; waiting: (WaitingFacts & Omit<WaitingTicket, 'why'>)[] }> {
    const waiting = await this.show.run(queue);
    return { queue, waiting: waiting.map((ticket) => ({ ...ticket, ...whyOf(ticket.why) })) };
  }

  @Endpoint('readRecord')
  async recorded(
    @Param({ schema: QueueParams }) { queue }: Params,
    @Query({ schema: RecordQuery }) { hours }: z.infer<typeof RecordQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { head, pages } = await this.record.open(queue, hours);
    await reply.header('content-type', 'application/x-ndjson').send(Readable.from(linesOf(head, pages)));
  }

  @Endpoint('listRules')
  async rules(
    @Param({ schema: QueueParams }) { queue }: Params,
    @Query({ schema: PageOfRules }) { version, before, limit }: z.infer<typeof PageOfRules>,
  ): Promise<{ queue: string; versions: VersionView[] }> {
    // An operator who is about to change rules has to see what another replica put in force.
    await this.follow.refresh();
    const versions =
      version === undefined
        ? this.queues
            .versionsOf(queue)
            .toReversed()
            .filter((each) => before === undefined || each.version < before)
            .slice(0, limit)
        : [this.queues.oneVersion(queue, version)];
    return { queue, versions: versions.map(viewOf) };
  }

  @Endpoint('applyRules')
  async apply(
    @Param({ schema: QueueParams }) { queue }: Params,
    @Body({ schema: ApplyRules }) change: z.infer<typeof ApplyRules>,
  ): Promise<VersionView & { readonly changed: boolean }> {
    const { changed, ...version } = await this.put.run(queue, change);
    return { ...viewOf(version), changed };
  }

  @Endpoint('readRulesSchema')
  @Header('content-type', 'application/schema+json')
  schema(): string {
    return schema;
  }
}

type VersionView = Omit<RulesVersion, 'messages'> & { readonly whyMessages?: MessageView[] };

function viewOf({ messages, ...version }: RulesVersion): VersionView {
  const whyMessages = viewsOf(messages);
  return { ...version, ...(whyMessages ? { whyMessages } : {}) };
}

async function* linesOf(head: object, pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`;
  for await (const page of pages) yield page.map((each) => `${JSON.stringify(each)}\n`).join('');
}
