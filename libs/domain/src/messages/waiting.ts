import { entry } from './entry.js';

/**
 * The platforms that a ticket meets: only its own (it plays without cross-play), tickets without a platform (as it has
 * none), some, or all.
 */
export type PlatformsMet = 'own' | 'unnamed' | 'some' | 'all';

const meets =
  '{meets, select, own {on {platforms}, and you play without cross-play} unnamed {without a platform, like you} some {on platforms that you may meet ({platforms})} other {}}';

/** Why a ticket waits. */
export const waiting = {
  'waiting.players': entry<{
    here: number;
    seats: number;
    missing: number;
    build: string;
    meets: PlatformsMet;
    platforms: readonly string[];
  }>(
    `{here} of {seats} players are here (build {build}{meets, select, all {} other {; }}${meets}): {missing} more must queue.`,
    { here: 3, seats: 10, missing: 7, build: '1.4.2', meets: 'all', platforms: [] },
  ),
  'waiting.platforms': entry<{
    here: number;
    seats: number;
    build: string;
    meets: PlatformsMet;
    platforms: readonly string[];
  }>(`Enough players wait (build {build}), but {here} of {seats} ${meets}.`, {
    here: 3,
    seats: 10,
    build: '1.4.2',
    meets: 'some',
    platforms: ['pc', 'mac'],
  }),
  'waiting.regions': entry(
    'Enough players wait, but {here} of {seats} in regions that are near enough to you.',
    { here: 6, seats: 10 },
  ),
  /** No region will ever do. `region`: the nearest; `latency`, `limit`: milliseconds. `party`: the worst of its players. */
  'waiting.no-region': entry(
    'No region is near enough: {region}, the nearest, is {latency} ms away{party, select, true { from one of you} other {}}, and this queue allows {limit} ms at most. Waiting does not help: choose another queue, or measure again.',
    { region: 'eu-west', latency: 230, limit: 150, party: false },
  ),
  'waiting.region-opens': entry('{region} will be in {seconds} s.', { region: 'eu-west', seconds: 10 }),
  'waiting.smaller-teams-later': entry('After {seconds} s more teams of {teamSize} will do.', {
    seconds: 30,
    teamSize: 4,
  }),
  'waiting.bots-later': entry('After {seconds} s more {players} players will do, and bots fill up.', {
    seconds: 40,
    players: 2,
  }),
  'waiting.avoided': entry(
    'Enough players are near, but avoid-lists keep some of them apart: without these they would fill {teams} whole teams with you.',
    { teams: 2 },
  ),
  'waiting.parties-do-not-fit': entry(
    'Enough players are near, but with their parties{roles, select, true { and roles} other {}} they do not fill {teams} whole teams with you yet.',
    { teams: 2, roles: false },
  ),
  /** `seconds` until the window is wide enough; null: never. */
  'waiting.skill-window': entry<{ seats: number; spread: number; window: number; seconds: number | null }>(
    'Enough players wait, but the {seats} nearest are up to {spread, number, ::.0} apart and the window is {window, number, ::.0}; it will {seconds, select, null {not widen that far} other {in {seconds} s}}.',
    { seats: 10, spread: 9.1, window: 6, seconds: 15 },
  ),
  'waiting.party-sizes': entry(
    'Enough players are near, but their parties would face none of their size; from {seconds} s on that is allowed.',
    { seconds: 15 },
  ),
  'waiting.maps': entry<{ seconds: number | null }>(
    'Enough players are near, but there is no map that all of them wish for{seconds, select, null {} other {; from {seconds} s on the most wishes decide}}.',
    { seconds: 20 },
  ),
  'waiting.teams-uneven': entry<{ gap: number; allowed: number; seconds: number | null }>(
    'A match is at hand and is held back for a more even one: its teams would differ by {gap, number, ::.0}, and {allowed, number, ::.0} is allowed by now; it {seconds, select, null {will never be allowed} other {is made in {seconds} s at the latest}}.',
    { gap: 5, allowed: 2, seconds: 12 },
  ),
  'waiting.better-match': entry(
    'A match is at hand, and waits a moment for a better one, since most of its players have only just come; it is made in {seconds} s at the latest.',
    { seconds: 3 },
  ),
  /** No server has the build. `newer`: those of servers. */
  'waiting.build-outdated': entry(
    'No server has your build {build}; newer ones have {newer}: update your game.',
    { build: '1.4.1', newer: ['1.4.2'] },
  ),
  'waiting.forming': entry('A match with you is being formed.'),
};
