import type { MatchState, SessionState } from '@muster/domain';

/** A service that moves matches. */
export type MatchOwner = 'assignment' | 'allocator' | 'rating';

/** A transition of a match from one of some states to another. */
export interface MatchTransition {
  /** Empty: the match is created. */
  readonly from: readonly MatchState[];
  readonly to: MatchState;
  /** The only service that makes this transition. */
  readonly owner: MatchOwner;
  /** What makes the transition happen once, as ARCHITECTURE.md states it. */
  readonly guard: string;
}

/** Every transition of a match. ARCHITECTURE.md shows this table; a test compares the two. */
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
  { from: ['formed', 'placed'], to: 'void', owner: 'allocator', guard: 'state; an operator ends it' },
  { from: ['abandoned'], to: 'void', owner: 'allocator', guard: 'state; an operator' },
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

/** Every transition of a session: by its server's answers, by silence, and by the end of its match. */
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
