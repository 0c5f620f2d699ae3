import { say, type Roster } from './roster.js';

/** When a running match is left alone. */
export interface Exemptions {
  /** Modes in which nobody is moved; letters and digits count, capitals do not. */
  readonly modes: readonly string[];
  /** Nobody is moved when fewer seconds than this are left; 0: until the end. */
  readonly secondsLeft: number;
}

/** Modes that Sector's Edge leaves alone. */
export const exemptModes = ['sandbox', 'trailer', 'tournament', 'scrimmage', 'ffa', 'free-for-all'] as const;

/** The name of a mode without what people write differently. */
export const plain = (mode: string): string => mode.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Why nobody is moved in this match now, whatever its teams are like; null when somebody may be.
 *
 * @param ranked what becomes of ranked matches that the coordinator formed (L17)
 */
export function exemptionOf(
  roster: Roster,
  exempt: Exemptions,
  ranked: 'leave-alone' | 'move',
): string | null {
  const { mode, secondsLeft } = roster;
  if (roster.teams < 2) return 'There are no teams to balance.';
  if (roster.ranked && ranked === 'leave-alone')
    return 'This is a ranked match: its teams stay as they were formed.';
  if (mode !== undefined && exempt.modes.some((name) => plain(name) === plain(mode)))
    return `Nobody is moved in the mode ${mode}.`;
  if (secondsLeft !== undefined && secondsLeft !== null && secondsLeft < exempt.secondsLeft)
    return `Nobody is moved in the last ${say(exempt.secondsLeft / 60)} minutes of a match.`;
  return null;
}
