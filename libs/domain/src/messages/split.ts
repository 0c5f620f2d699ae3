import type { Message } from './message.js';

/** How the teams of a match were formed. */
export interface SplitMessages {
  'split.roles': { team: number; players: readonly Message[] };
  'split.role': { playerId: string; role: string };
  'split.sides': { teams: readonly Message[] };
  'split.side': { team: number; side: string };
  'split.for-sides': Record<never, never>;
  'split.sides-after': Record<never, never>;
  'split.bots': { teams: readonly Message[] };
  'split.bots-on': { bots: number; team: number };
  'split.ways': { ways: number };
  'split.about-ways': { ways: number };
  'split.proven': Record<never, never>;
  'split.sums': { sums: readonly number[]; difference: number };
  'split.best-found': { stopped: 'deadline' | 'memory' | 'size' | 'stalled' };
  'split.bound': { sums: readonly number[]; difference: number; bound: number; gain: number };
  'split.found-by': { method: string; because: string };
  'split.rejected': { ranked: boolean; difference: number; sums: readonly number[] };
  'split.prediction': { teams: readonly Message[] };
  'split.chance': { team: number; percent: number };
  'split.players-alone': Record<never, never>;
}
