/** A requirement of a queue that a player does not meet. `you`: the player is addressed directly. */
interface Missing {
  you: boolean;
  playerId: string;
}

/** Entry requirements of queues, the source of rules, and why a stream of ticket events ends. */
export interface QueueMessages {
  'entry.verified': Missing;
  'entry.play-minutes': Missing & { minutes: number };
  'entry.account-days': Missing & { days: number };
  'entry.matches': Missing & { matches: number };
  'rules.built-in': Record<never, never>;
  'rules.from-file': { file: string };
  'stream.gave-way': Record<never, never>;
  'stream.process-ends': Record<never, never>;
  'stream.unreadable': Record<never, never>;
}
