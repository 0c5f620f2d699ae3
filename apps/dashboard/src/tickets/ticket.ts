import type { AnswerOf } from '@muster/contracts';
import type { Step, Tone } from '../ui/story.js';

export type Ticket = AnswerOf<'readTicket'>;

export const ticketWords: Readonly<Record<Ticket['state'], string>> = {
  waiting: 'waits',
  proposed: 'match proposed',
  accepting: 'asked to accept',
  placing: 'waits for a server',
  assigned: 'assigned to a server',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
};

export const ticketColour: Readonly<Record<Ticket['state'], string>> = {
  waiting: 'yellow',
  proposed: 'blue',
  accepting: 'blue',
  placing: 'blue',
  assigned: 'green',
  cancelled: 'gray',
  expired: 'orange',
  failed: 'red',
};

/** Whether an operator may end it: one in a match is ended with that. */
export const isCancellable = ({ state }: Pick<Ticket, 'state'>): boolean =>
  state === 'waiting' || state === 'accepting';

/** An event of a ticket, as its stream sends it. */
export interface TicketEvent {
  readonly seq: number;
  readonly at: number;
  readonly state: Ticket['state'];
  readonly reason: string;
  readonly matchId?: string;
  readonly matchState?: Ticket['matchState'];
}

const matchEnds = new Map<Ticket['matchState'], readonly [title: string, tone: Tone]>([
  ['rated', ['Its match is over and rated', 'good']],
  ['abandoned', ['Its match was abandoned', 'bad']],
  ['void', ['Its match became void', 'bad']],
]);
const stateTitles: Readonly<Record<Ticket['state'], readonly [title: string, tone: Tone]>> = {
  waiting: ['It waits', 'note'],
  proposed: ['A match was proposed', 'note'],
  accepting: ['Its players were asked to accept', 'note'],
  placing: ['Its teams were made', 'note'],
  assigned: ['It was assigned to a server', 'good'],
  cancelled: ['It was cancelled', 'note'],
  expired: ['It expired', 'bad'],
  failed: ['It failed', 'bad'],
};

/** The events of a ticket as a story, from its creation on. */
export const storyOf = (events: readonly TicketEvent[]): readonly Step[] =>
  events.map((event, i) => {
    const before = events[i - 1];
    const [title, tone] = titleOf(event, before);
    const { at, reason, matchId } = event;
    return { at, title, text: reason, tone, matchId: matchId === before?.matchId ? undefined : matchId };
  });

function titleOf(
  { seq, state, matchState }: TicketEvent,
  before: TicketEvent | undefined,
): readonly [title: string, tone: Tone] {
  if (seq === 1) return ['It was queued', 'note'];
  if (state === 'waiting') return ['It waits again', 'note'];
  if (state === 'placing' && before?.state === 'placing') return ['It waits for a server', 'note'];
  return matchEnds.get(matchState) ?? stateTitles[state];
}

/** What was told while a match waited for its server, such as that one refused. */
export const attemptsOf = (events: readonly TicketEvent[], matchId: string): readonly Step[] =>
  events
    .filter((event) => event.state === 'placing' && event.matchId === matchId)
    .slice(1)
    .map(({ at, reason }) => ({ at, title: 'It waited for a server', text: reason }));
