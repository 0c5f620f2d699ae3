import {
  ApplyRules,
  PageOfRules,
  QueueParams,
  rulesDocumentSchema,
  viewsOf,
  type MessageView,
} from '@muster/contracts';
import type { QueueRules, RulesVersion } from '@muster/domain';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Header, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { FollowRules } from './follow-rules.js';
import { PutRules } from './put-rules.js';
import { Queues } from './queues.js';

type Params = z.infer<typeof QueueParams>;

const schema = JSON.stringify(rulesDocumentSchema());

@Controller()
export class QueuesController {
  constructor(
    @Inject(Queues) private readonly queues: Queues,
    @Inject(FollowRules) private readonly follow: FollowRules,
    @Inject(PutRules) private readonly put: PutRules,
  ) {}

  @Endpoint('listQueues')
  list(): { queues: (QueueRules & { readonly version: number })[] } {
    return { queues: this.queues.newest.map(({ rules, version }) => ({ ...rules, version })) };
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
