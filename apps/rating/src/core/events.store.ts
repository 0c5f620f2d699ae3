import { readReason, writeReason } from '@muster/contracts';
import type {
  GivenEvent,
  MatchEvent,
  Played,
  PlayerEvent,
  RatingEvent,
  ResetEvent,
  SeasonEvent,
  SignalEvent,
} from '@muster/domain';

/** The stored form of an event whose reason may be messages. */
type Stored<E extends GivenEvent | SeasonEvent | SignalEvent> = Omit<
  E,
  'kind' | 'eventId' | 'at' | 'reason'
> & {
  readonly reason: string;
  readonly messages?: unknown;
};

/** The part of an event's row beside kind, id and time, as JSON. */
export function detailOf(event: RatingEvent): string {
  return JSON.stringify(ownPartOf(event));
}

/** The same as a value. */
export function ownPartOf(event: RatingEvent): object {
  const { kind: _kind, eventId: _eventId, at: _at, ...detail } = event;
  if (!('reason' in detail) || typeof detail.reason === 'string') return detail;
  return { ...detail, ...writeReason(detail.reason) };
}

/** Reads an event from its row. @throws TypeError for a row in an unknown format */
export function asEvent(kind: string, eventId: string, at: Date, detail: unknown): RatingEvent {
  const time = { eventId, at: at.getTime() };
  // `detailOf` writes values of these types.
  switch (kind) {
    case 'match':
      return { kind, ...time, ...(detail as Pick<MatchEvent, 'teams' | 'ranks'> & { played?: Played }) };
    case 'set':
    case 'seed':
      return { kind, ...time, ...withReason<GivenEvent>(detail) };
    case 'reset':
      return { kind, ...time, ...(detail as Omit<ResetEvent, 'kind' | 'eventId' | 'at'>) };
    case 'season':
      return { kind, ...time, ...withReason<SeasonEvent>(detail) };
    case 'signal':
      return { kind, ...time, ...withReason<SignalEvent>(detail) };
    default:
      throw new TypeError(`an event of kind ${kind} rates nothing`);
  }
}

function withReason<E extends GivenEvent | SeasonEvent | SignalEvent>(detail: unknown) {
  const { messages, reason, ...event } = detail as Stored<E>;
  return { ...event, reason: readReason({ reason, messages }) };
}

/** The players whose ratings an event changes. */
export function playersOf(event: PlayerEvent): string[] {
  return event.kind === 'match' ? event.teams.flat() : [event.playerId];
}
