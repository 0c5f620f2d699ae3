import { QueueParams } from '@muster/contracts';
import type { QueueRules } from '@muster/domain';
import { Endpoint } from '@muster/platform';
import { Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { Queues } from '../use-cases/queues.js';
import { ShowWaiting, type WaitingTicketView } from '../use-cases/show-waiting.js';

@Controller()
export class QueuesController {
  constructor(
    @Inject(Queues) private readonly queues: Queues,
    @Inject(ShowWaiting) private readonly show: ShowWaiting,
  ) {}

  @Endpoint('listQueues')
  list(): { queues: readonly QueueRules[] } {
    return { queues: this.queues.all };
  }

  @Endpoint('listWaiting')
  async waiting(
    @Param({ schema: QueueParams }) { queue }: z.infer<typeof QueueParams>,
  ): Promise<{ queue: string; waiting: WaitingTicketView[] }> {
    return { queue, waiting: await this.show.run(queue) };
  }
}
