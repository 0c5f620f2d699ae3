import type { Message, TeamParam } from './message.js';

/** The number by which every rating was raised, as some are below 0; null: none. */
interface Raised {
  raised: number | null;
}

/** What kind of players a map is for; null: not stated. */
interface MapRange {
  least: number | null;
  most: number | null;
}

/** Why the teams of a running match stay as they are or are changed. */
export interface BalanceMessages {
  'balance.off': Record<never, never>;
  'balance.even': Raised & { sizes: readonly number[] };
  'balance.no-teams': Record<never, never>;
  'balance.ranked': Record<never, never>;
  'balance.exempt-mode': { mode: string };
  'balance.exempt-end': { minutes: number };
  'balance.sizes': { larger: number; smaller: number };
  'balance.much-stronger': { from: TeamParam; to: TeamParam; strength: number; against: number };
  'balance.nobody-to-stand': { from: TeamParam; to: TeamParam };
  'balance.weighs-nothing': { from: TeamParam; to: TeamParam };
  'balance.share-stronger': Raised & { from: TeamParam; to: TeamParam; percent: number };
  'balance.stronger': Raised & { from: TeamParam; to: TeamParam; voted: boolean };
  'balance.moving-soon': { players: number };
  'balance.delayed': { to: TeamParam; seconds: number };
  'balance.next-death': { from: TeamParam; to: TeamParam };
  'balance.moving': { ways: readonly Message[] };
  'balance.moving-to': { players: number; to: TeamParam };
  'balance.you-join': { to: TeamParam };
  'balance.you-play-for': { to: TeamParam };
  'balance.not-again': Record<never, never>;

  'balance.nobody-free': { from: TeamParam };
  'balance.best-stay': { from: TeamParam };
  'balance.too-strong': { to: TeamParam };
  'balance.no-closer': { from: TeamParam; to: TeamParam };
  'balance.two-teams-only': { teams: number };
  'balance.no-swap': Record<never, never>;
  'balance.not-swapped': { difference: number };
  'balance.swapped': { swaps: number; after: number; before: number };

  'scramble.all-here': Record<never, never>;
  'scramble.duel-over': Record<never, never>;
  'scramble.streak': { wins: number };
  'scramble.attackers-captured-nothing': Record<never, never>;
  'scramble.full-rounds': { rounds: number };
  'scramble.never-captured': { what: 'flag' | 'point' };
  'scramble.none': Record<never, never>;
  'scramble.soon': { players: number };
  'scramble.nobody': Record<never, never>;
  'scramble.no-equal-teams': Record<never, never>;
  'scramble.no-other-teams': Record<never, never>;
  'scramble.best-already': Record<never, never>;
  'scramble.changed': { players: number; difference: number; before: number };

  'sides.named': { players: number };
  'sides.chosen': { met: number; wishes: number };
  'sides.impossible': { detail: string };

  'arrival.party': { to: TeamParam };
  'arrival.smallest': { to: TeamParam };
  'arrival.short': { to: TeamParam };
  'arrival.most-even': { to: TeamParam };
  'arrival.chance': { to: TeamParam; percent: number };
  'arrival.bot-leaves': Record<never, never>;
  'departure.no-team': Record<never, never>;
  'departure.one-fewer': { from: TeamParam };
  'departure.bots-come': { bots: number };
  'departure.bots-go': Record<never, never>;
  'departure.evenness': { trend: 'more' | 'less' | 'same'; difference: number };

  'bots.beside': MapRange & { bots: number; humans: number; players: number };
  'bots.by-team': MapRange & { bots: number; teams: readonly Message[]; players: number };
  'bots.on-team': { team: TeamParam; bots: number };
  'start.teams': { splits: number; players: number; bots: number; percent: number };

  'advantage.even': Record<never, never>;
  'advantage.no-players': { team: TeamParam };
  'advantage.no-strength': { team: TeamParam };
  /** `left`: the part of the factor that the levers leave; null: nothing. */
  'advantage.factor': { weak: TeamParam; strong: TeamParam; factor: number; left: number | null };
  'advantage.respawn': { strong: TeamParam; seconds: number; usual: number };
  'advantage.damage': { weak: TeamParam; factor: number };
  'advantage.shield': { weak: TeamParam; factor: number };
  'advantage.not-in-one-hit': Record<never, never>;
  'advantage.only-the-dead': Record<never, never>;

  'live.event-ignored': { detail: string };
}
