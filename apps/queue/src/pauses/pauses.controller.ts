import type { MaintenanceView, PausedQueue, PauseView } from '@muster/contracts';
import { isInForce, type Pause, type QueueRules } from '@muster/domain';
import { Endpoint, Sent, SharedClock } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { pauseViewOf } from './pause.view.js';
import { Pauses } from './pauses.js';

type QueueView = QueueRules & { readonly version: number; readonly paused?: PauseView };

/** The queues as they are in force. Operators pause queues and announce maintenance. */
@Controller()
export class PausesController {
  constructor(
    @Inject(Pauses) private readonly pauses: Pauses,
    @Inject(Queues) private readonly queues: Queues,
    @Inject(FollowRules) private readonly follow: FollowRules,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {}

  @Endpoint('listQueues')
  list(): { queues: QueueView[]; maintenance?: PauseView } {
    const { maintenance } = this.pauses;
    const queues = this.queues.newest.map(({ rules, version }): QueueView => {
      const pause = this.pauses.inForce(rules.name);
      return { ...rules, version, ...(pause ? { paused: pauseViewOf(pause) } : {}) };
    });
    return { queues, ...(maintenance ? { maintenance: pauseViewOf(maintenance) } : {}) };
  }

  @Endpoint('pauseQueue')
  async pause(@Sent() { params: { queue }, body }: Sent<'pauseQueue'>): Promise<PausedQueue> {
    await this.follow.withNewest(queue, () => this.queues.named(queue));
    return { queue, paused: pauseViewOf(await this.pauses.put(queue, body)) };
  }

  @Endpoint('resumeQueue')
  async resume(@Sent() { params: { queue } }: Sent<'resumeQueue'>): Promise<PausedQueue> {
    await this.pauses.end(queue);
    return { queue, paused: null };
  }

  @Endpoint('announceMaintenance')
  async announce(@Sent() { body }: Sent<'announceMaintenance'>): Promise<MaintenanceView> {
    return this.viewOf(await this.pauses.put(null, body));
  }

  @Endpoint('endMaintenance')
  async end(): Promise<MaintenanceView> {
    await this.pauses.end(null);
    return this.viewOf(null);
  }

  @Endpoint('readMaintenance')
  read(): MaintenanceView {
    return this.viewOf(this.pauses.maintenance);
  }

  private viewOf(pause: Pause | null): MaintenanceView {
    const maintenance: PauseView | null = pause && pauseViewOf(pause);
    return { maintenance, inForce: pause !== null && isInForce(pause, this.clock.now()) };
  }
}
