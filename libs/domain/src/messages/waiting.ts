/**
 * The platforms that a ticket meets: only its own (it plays without cross-play), tickets without a platform (as it has
 * none), some, or all.
 */
export type PlatformsMet = 'own' | 'unnamed' | 'some' | 'all';

/** Why a ticket waits. */
export interface WaitingMessages {
  'waiting.players': {
    here: number;
    seats: number;
    missing: number;
    build: string;
    meets: PlatformsMet;
    platforms: readonly string[];
  };
  'waiting.platforms': {
    here: number;
    seats: number;
    build: string;
    meets: PlatformsMet;
    platforms: readonly string[];
  };
  'waiting.regions': { here: number; seats: number };
  /** No region will ever do. `region`: the nearest; `latency`, `limit`: milliseconds. `party`: the worst of its players. */
  'waiting.no-region': { region: string; latency: number; limit: number; party: boolean };
  'waiting.region-opens': { region: string; seconds: number };
  'waiting.smaller-teams-later': { seconds: number; teamSize: number };
  'waiting.bots-later': { seconds: number; players: number };
  'waiting.avoided': { teams: number };
  'waiting.parties-do-not-fit': { teams: number; roles: boolean };
  /** `seconds` until the window is wide enough; null: never. */
  'waiting.skill-window': { seats: number; spread: number; window: number; seconds: number | null };
  'waiting.party-sizes': { seconds: number };
  'waiting.maps': { seconds: number | null };
  'waiting.teams-uneven': { gap: number; allowed: number; seconds: number | null };
  'waiting.better-match': { seconds: number };
  /** No server has the build. `newer`: those of servers. */
  'waiting.build-outdated': { build: string; newer: readonly string[] };
  'waiting.forming': Record<never, never>;
}
