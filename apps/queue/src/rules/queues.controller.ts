import { rulesDocumentSchema, viewsOf, type MessageView } from '@muster/contracts';
import type { RulesVersion } from '@muster/domain';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Header, Inject } from '@nestjs/common';
import { FollowRules } from './follow-rules.js';
import { PutRules } from './put-rules.js';
import { Queues } from './queues.js';

const schema = JSON.stringify(rulesDocumentSchema());

@Controller()
export class QueuesController {
  constructor(
    @Inject(Queues) private readonly queues: Queues,
    @Inject(FollowRules) private readonly follow: FollowRules,
    @Inject(PutRules) private readonly put: PutRules,
  ) {}

  @Endpoint('listRules')
  async rules(
    @Sent() { params: { queue }, query: { version, before, limit } }: Sent<'listRules'>,
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
    @Sent() { params, body }: Sent<'applyRules'>,
  ): Promise<VersionView & { readonly changed: boolean }> {
    const { changed, ...version } = await this.put.run(params.queue, body);
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
