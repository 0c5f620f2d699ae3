import { Background, Every } from '@muster/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ASSIGNMENT_SETTINGS, type AssignmentSettings } from '../settings.js';
import { DeliverEvents } from './deliver-events.js';
import { PostgresEventLog } from './event-log.store.js';
import { EventStreams } from './event-stream.view.js';
import { PostgresWebhooks } from './webhooks.store.js';

/** Events moved, and deleted, at once. */
const movedAtOnce = 500;
const deletedAtOnce = 1_000;

const streamsLoop = 'event streams';
const webhooksLoop = 'webhooks';

/** Moves events from the outbox to readers and webhooks, and deletes old ones. */
@Injectable()
export class EventsLoops implements OnModuleInit {
  constructor(
    @Inject(PostgresEventLog) private readonly log: PostgresEventLog,
    @Inject(PostgresWebhooks) private readonly webhooks: PostgresWebhooks,
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(DeliverEvents) private readonly deliver: DeliverEvents,
    @Inject(Background) private readonly background: Background,
    @Inject(ASSIGNMENT_SETTINGS) private readonly settings: AssignmentSettings,
  ) {}

  onModuleInit(): void {
    this.deliver.onSettled = () => this.background.kick(webhooksLoop);
  }

  @Every('events', 250)
  async publish(): Promise<boolean> {
    if (!(await this.log.isBehind())) return false;
    const moved = await this.log.publish(movedAtOnce);
    if (moved === 0) return false;
    for (const loop of [streamsLoop, webhooksLoop]) this.background.kick(loop);
    return moved === movedAtOnce;
  }

  /** At an interval, it finds what other replicas moved. */
  @Every(streamsLoop, 250)
  look(): Promise<void> {
    return this.streams.look();
  }

  @Every(webhooksLoop, 500)
  send(): Promise<void> {
    return this.deliver.turn();
  }

  @Every('retention of events', 60_000)
  async forget(): Promise<boolean> {
    const deliveries = await this.webhooks.clear(deletedAtOnce);
    const events = await this.log.forget(this.settings.EVENT_DAYS, deletedAtOnce);
    return Math.max(deliveries, events) === deletedAtOnce;
  }
}
