import { z } from 'zod';
import {
  ConflictEventData,
  MatchEventData,
  ResultEventData,
  ServerEventData,
  SessionEventData,
  TicketEventData,
} from './match-events.js';
import {
  CaseEventData,
  PenaltyEventData,
  RatingEventData,
  RulesEventData,
  SeasonEventData,
  TestEventData,
} from './player-events.js';

/** What is said of a type of event. */
export interface EventKind {
  /** Rises when a receiver of the version before could not read the data: new fields do not count. */
  readonly version: number;
  readonly summary: string;
  /** Events with the same one are delivered to a webhook in order. */
  readonly order: 'ticket' | 'match' | 'server' | 'pool' | 'player' | 'queue' | 'case' | 'none';
  readonly data: z.ZodObject;
}

const kindsOf =
  (order: EventKind['order'], data: z.ZodObject, version = 1) =>
  (summary: string): EventKind => ({ version, summary, order, data });

const ticket = kindsOf('ticket', TicketEventData);
const match = kindsOf('match', MatchEventData);
const session = kindsOf('match', SessionEventData);
const server = kindsOf('server', ServerEventData);
const conflict = kindsOf('match', ConflictEventData);
const penalty = kindsOf('player', PenaltyEventData);
const season = kindsOf('pool', SeasonEventData);
const integrityCase = kindsOf('case', CaseEventData);

/** Every type of event. Triggers of the database write them, but for tickets, which the queue copies from Redis. */
export const eventCatalogue = {
  'ticket.created': ticket('It is in the queue.'),
  'ticket.waiting': ticket('It is back in the queue, or has new rules.'),
  'ticket.proposed': ticket('It is part of a proposed match.'),
  'ticket.accepting': ticket('Its players are asked to accept a match.'),
  'ticket.placing': ticket('Its match is formed and waits for a server.'),
  'ticket.assigned': ticket('Its players can connect, and later: its match is over.'),
  'ticket.cancelled': ticket('Its players left the queue.'),
  'ticket.expired': ticket('It waited for too long.'),
  'ticket.failed': ticket('It ended without a match, for the reason given.'),
  'match.formed': match('Players were matched, and their teams are made.'),
  'match.placed': match('A server has it, and its players can connect.'),
  'match.ended': match('Its result counts.'),
  'match.rated': match('Its ratings are changed, and its players are free.'),
  'match.abandoned': match('It has no result: no server, or the server gave it up or was lost.'),
  'match.void': match('It does not count, or no longer.'),
  'session.reserved': session('A slot of a server is reserved, and the server is asked.'),
  'session.live': session('The server has confirmed.'),
  'session.ended': session('Its result counts.'),
  'session.abandoned': session('It ended without a result.'),
  'session.refused': session('The server refused; another one is asked.'),
  'session.unanswered': session('The server did not answer in time; another one is asked.'),
  'session.lost': session('Its server was lost, or has forgotten it.'),
  'result.received': kindsOf('match', ResultEventData)('A server reported a result, and it counts.'),
  'result.conflict': conflict('A report contradicts the result, and does not count.'),
  'result.decided': conflict('An operator decided about such a report.'),
  'rating.changed': kindsOf('match', RatingEventData)('An event of the ledger changed ratings.'),
  'penalty.imposed': penalty('A player is penalised.'),
  'penalty.forgiven': penalty('A penalty no longer counts.'),
  'rules.changed': kindsOf('queue', RulesEventData)('A queue has new rules.'),
  'season.announced': season('The next season has a time, or a new one.'),
  'season.started': season('A season began.'),
  'season.ended': season('A season is over.'),
  'case.opened': integrityCase('A signal of integrity waits for an operator.'),
  'case.closed': integrityCase('An operator decided about it.'),
  'server.ready': server('It registered, or takes matches again.'),
  'server.draining': server('It takes no new matches.'),
  'server.lost': server('It was silent for too long.'),
  'server.left': server('It left, or an operator removed it.'),
  'webhook.test': kindsOf('none', TestEventData)('An operator tests a webhook. Not part of the stream.'),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof eventCatalogue;

/** The types of events. */
export const eventTypes = Object.keys(eventCatalogue) as [EventType, ...EventType[]];

/** Groups of types, such as `match.*`. */
export const eventGroups = [...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`))];

/** A type, or a group of types. */
export const EventFilter = z.enum([...eventTypes, ...eventGroups], {
  error: 'must be a type of events, or a group such as match.*; docs/events.md lists them',
});

/** Whether an event of this type passes; without filters every one does. */
export function passes(type: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.includes(type) || filters.includes(`${type.split('.')[0]}.*`);
}

/** An event as receivers get it: the body of a webhook, and the data of a server-sent event. */
export const MusterEvent = z
  .object({
    id: z.string().meta({ description: 'The same at every delivery, as the header `webhook-id`.' }),
    type: z.string().meta({ description: 'See docs/events.md. A later release may have more.' }),
    version: z.number().int().meta({ description: 'Of the form of `data`.' }),
    timestamp: z.iso.datetime().meta({ description: 'When it happened.' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'By type: see docs/events.md.' }),
  })
  .meta({ id: 'Event' });
export type MusterEvent = z.infer<typeof MusterEvent>;
