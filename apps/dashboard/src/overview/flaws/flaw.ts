import type { AnswerOf } from '@muster/contracts';
import type { LinkProps } from '@tanstack/react-router';
import type { QueueLately } from '../lately.js';
import type { Failure, Oldest } from '../look.js';

/** A page of the dashboard. */
export type Place = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** `critical` needs somebody now, `warning` can wait for the morning, `notice` was meant to be. */
export type Grade = 'critical' | 'warning' | 'notice';

/** Something that is wrong now, in words; as in docs/alerts.md. */
export interface Flaw {
  /** Stays while the flaw does. */
  readonly key: string;
  readonly grade: Grade;
  readonly what: string;
  /** What players feel. */
  readonly players: string;
  /** What mends it, or shows more. */
  readonly mend: string;
  readonly place: Place;
  /** What stands at the link. */
  readonly placeName: string;
}

/** What the coordinator answered last; what is missing was not answered yet. */
export interface Seen {
  readonly now: number;
  /** Nothing answers, not even the edge. */
  readonly isCutOff: boolean;
  readonly failed: readonly Failure[];
  /** Without the service of tickets nothing is known of queues. */
  readonly lately?: readonly QueueLately[] | undefined;
  readonly queues?: AnswerOf<'listQueues'> | undefined;
  /** The ticket that has waited longest, by queue. */
  readonly oldest?: ReadonlyMap<string, Oldest> | undefined;
  readonly places?: AnswerOf<'readCapacity'>['places'] | undefined;
  readonly servers?: AnswerOf<'listServers'>['servers'] | undefined;
  readonly jobs?: AnswerOf<'listJobQueues'>['queues'] | undefined;
  readonly conflicts?: AnswerOf<'listConflicts'>['conflicts'] | undefined;
  readonly webhooks?: AnswerOf<'listWebhooks'>['webhooks'] | undefined;
  readonly pools?: AnswerOf<'listPools'>['pools'] | undefined;
  /** The newest rebuild of each pool that had one. */
  readonly rebuilds?: AnswerOf<'listRebuilds'>['rebuilds'] | undefined;
}
