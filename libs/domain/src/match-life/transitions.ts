import type { MatchState } from '../match.js';
import type { SessionState } from '../server.js';

/** A service that moves matches. */
export type MatchOwner = 'assignment' | 'allocator' | 'rating';

/** A step of a match from one of some states to another. */
export interface MatchTransition {
  /** None: the match comes into being. */
  readonly from: readonly MatchState[];
  readonly to: MatchState;
  /** The only service that takes this step. */
  readonly owner: MatchOwner;
  /** What makes the step happen once, as ARCHITECTURE.md says it. */
  readonly guard: string;
}

/** Every step that a match can take. ARCHITECTURE.md shows this table; a test compares the two. */
export const matchTransitions: readonly MatchTransition[] = [
  {
    from: [],
    to: 'formed',
    owner: 'assignment',
    guard: 'verdict inserted first; keys of `match`, `live_player`',
  },
  { from: ['formed'], to: 'placed', owner: 'allocator', guard: 'session `reserved` → `live`' },
  { from: ['placed'], to: 'ended', owner: 'allocator', guard: 'session row lock' },
  { from: ['ended'], to: 'rated', owner: 'rating', guard: 'match row lock' },
  {
    from: ['formed', 'placed'],
    to: 'abandoned',
    owner: 'allocator',
    guard: 'state; no server, left, server lost, time limit, called off',
  },
  {
    from: ['abandoned'],
    to: 'ended',
    owner: 'allocator',
    guard: 'late result, players not rated since',
  },
  {
    from: [],
    to: 'rated',
    owner: 'rating',
    guard: 'unique `(pool, external_id)`: played elsewhere',
  },
  {
    from: ['ended'],
    to: 'void',
    owner: 'rating',
    guard: 'match row lock: not ratable, or voided by an operator',
  },
  { from: ['rated'], to: 'void', owner: 'rating', guard: 'match row lock; ledger event and rebuild' },
];

/** The states in which a match holds its players: each of them is in one such match at most. */
export const liveMatchStates: readonly MatchState[] = ['formed', 'placed', 'ended'];

/** Whether a match may step from a state to another; `null`: whether it may begin in it. */
export function mayStep(from: MatchState | null, to: MatchState): boolean {
  return matchTransitions.some(
    (each) => each.to === to && (from === null ? each.from.length === 0 : each.from.includes(from)),
  );
}

/** Every step of a session: what its server answers, its silence, and the end of its match. */
export const sessionTransitions: Readonly<Record<SessionState, readonly SessionState[]>> = {
  reserved: ['live', 'refused', 'unanswered', 'lost'],
  live: ['ended', 'abandoned', 'lost'],
  // A late result.
  lost: ['ended'],
  ended: [],
  abandoned: [],
  refused: [],
  unanswered: [],
};

/** The states in which a session occupies a slot of its server. */
export const openSessionStates: readonly SessionState[] = ['reserved', 'live'];

export function isOpenSession(state: SessionState): boolean {
  return openSessionStates.includes(state);
}
