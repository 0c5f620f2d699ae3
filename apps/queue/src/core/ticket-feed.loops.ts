import { RedisTicketFeed } from './ticket-feed.store.js';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Follows the events of all tickets for streams and long polls, until the HTTP server is closed. */
@Injectable()
export class TicketFeedLoop implements OnApplicationBootstrap {
  constructor(@Inject(RedisTicketFeed) private readonly feed: RedisTicketFeed) {}

  onApplicationBootstrap(): void {
    void this.feed.follow();
  }
}
