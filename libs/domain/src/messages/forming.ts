/** Why a match or a seat was refused, or who has it. */
export interface FormingMessages {
  'match.not-in-time': Record<never, never>;
  'match.ratings-changed': Record<never, never>;
  'match.players-busy': { players: readonly string[]; count: number };
  /** `detail`: the solver's explanation. */
  'match.unsolvable': { detail: string };
  'match.failed': Record<never, never>;
  'seat.given': Record<never, never>;
  'seat.gone': Record<never, never>;
  'seat.ratings-changed': Record<never, never>;
  'seat.players-busy': { players: readonly string[]; count: number };
  'seat.failed': Record<never, never>;
}
