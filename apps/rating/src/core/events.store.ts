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
    case 'seed': {
      const { messages, reason, ...given } = detail as Stored<GivenEvent>;
      return { kind, ...time, ...given, reason: readReason({ reason, messages }) };
    }
    case 'reset':
      return { kind, ...time, ...(detail as Omit<ResetEvent, 'kind' | 'eventId' | 'at'>) };
    case 'season': {
      const { messages, reason, ...season } = detail as Stored<SeasonEvent>;
      return { kind, ...time, ...season, reason: readReason({ reason, messages }) };
    }
    case 'signal': {
      const { messages, reason, ...signal } = detail as Stored<SignalEvent>;
      return { kind, ...time, ...signal, reason: readReason({ reason, messages }) };
    }
    default:
      throw new TypeError(`an event of kind ${kind} rates nothing`);
  }
}

/** The players whose ratings an event changes. */
export function playersOf(event: PlayerEvent): string[] {
  return event.kind === 'match' ? event.teams.flat() : [event.playerId];
}
