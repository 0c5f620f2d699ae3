import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { CopyTicketEvents } from './copy-ticket-events.js';

/** Copies ticket events, if the settings say so. */
@Injectable()
export class TicketEventsLoops {
  constructor(
    @Inject(CopyTicketEvents) private readonly copies: CopyTicketEvents,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
  ) {}

  @Every('ticket events', 500)
  async copy(): Promise<boolean> {
    return this.settings.TICKET_EVENTS === 'on' && this.copies.turn();
  }
}
