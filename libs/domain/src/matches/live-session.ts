import type { Message } from '../messages/message.js';

/** A message with its text, as it is sent and stored. */
export interface RenderedMessage {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Moves that a server has to make, all of them. `Why` is the explanation: messages, or their text. */
interface Order<Why> {
  /** `balance`: the match has become unfair. `scramble`: a round triggered new teams. `sides`: a side pick has closed. */
  readonly kind: 'balance' | 'scramble' | 'sides';
  readonly moves: readonly (Why & {
    readonly playerId: string;
    readonly from: number | null;
    readonly to: number;
  })[];
  readonly withinMs: number;
  /** False where the search was not exhaustive; the moves are then good, not proven optimal. */
  readonly exact: boolean;
}

/** An order as it is decided. */
export type LiveOrder = Explained & Order<Explained>;
interface Explained {
  readonly why: readonly Message[];
}

/** An order as it is sent and stored. */
export type SentOrder = Rendered & Order<Rendered>;
interface Rendered {
  readonly why: string;
  /** Absent when the previous release wrote it. */
  readonly whyMessages?: readonly RenderedMessage[] | undefined;
}
