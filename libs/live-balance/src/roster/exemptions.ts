import { message, shown, type BalanceTerms, type Message } from '@muster/domain';
import type { Roster } from './roster.js';

/** When a running match is exempt from balancing. */
export type Exemptions = BalanceTerms['exempt'];

/** Modes that Sector's Edge exempts; FFA, GG and HH are played without teams. */
export const exemptModes = [
  'sandbox',
  'trailer',
  'tournament',
  'scrimmage',
  'ffa',
  'free-for-all',
  'gg',
  'hh',
] as const;

/** The name of a mode without differences in spelling. */
export const plain = (mode: string): string => mode.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Why nobody is moved in this match now, whatever its teams; null when players may be moved.
 *
 * @param ranked the treatment of ranked matches that the coordinator formed (L17)
 */
export function exemptionOf(
  roster: Roster,
  exempt: Exemptions,
  ranked: 'leave-alone' | 'move',
): Message | null {
  const { mode, secondsLeft } = roster;
  if (roster.teams < 2) return message('balance.no-teams');
  if (roster.ranked && ranked === 'leave-alone') return message('balance.ranked');
  if (mode !== undefined && exempt.modes.some((name) => plain(name) === plain(mode)))
    return message('balance.exempt-mode', { mode });
  if (secondsLeft !== undefined && secondsLeft !== null && secondsLeft < exempt.secondsLeft)
    return message('balance.exempt-end', { minutes: shown(exempt.secondsLeft / 60) });
  return null;
}
