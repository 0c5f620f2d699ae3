/** More events than a ticket ever has. */
const perEra = 1_000_000;

/** How a reader numbers the events of a ticket. */
export interface EventNumbers {
  /** The last event of the log that the reader knows. */
  readonly known: number;
  /** The reader's number of an event of the log is larger by this. */
  readonly offset: number;
}

/**
 * The numbers of a reader who knows the events up to `after` of a log that ends at `seq`. A reader who knows a later event
 * follows a ticket of which the store has lost events. It gets the latest event, and those that follow, under numbers that
 * it does not know: those of the log, each larger by a multiple of a million. So its next `after` tells by how much, nothing
 * is stored, and other readers keep their numbers.
 */
export function numbersOf(after: number, seq: number): EventNumbers {
  const known = after % perEra;
  const offset = after - known;
  return known <= seq ? { known, offset } : { known: seq - 1, offset: offset + perEra };
}
