import { seededRandom, type Habits, type Random, type SignalKind } from '@muster/domain';
import { HabitDraws } from './habits.js';
import type { HistoryMatch } from './ladder.js';

/** A simulated league: true skills, and who cheats. */
export interface LeagueOptions {
  readonly kind: SignalKind;
  readonly seed: number;
  readonly players: number;
  readonly teamSize: number;
  /** Rounds before anybody cheats, and afterwards. */
  readonly warmUp: number;
  readonly rounds: number;
}

/** A match of a league, and whether it was one in which somebody cheated. */
export interface LeagueMatch extends HistoryMatch {
  readonly round: number;
}

export const startSkill = { mean: 25, sigma: 25 / 3 };
/** How much a performance varies about the true skill. */
const performanceSigma = startSkill.sigma / 2;
/** A performance that loses nearly always. */
const thrownSkill = -25;
const servers = 40;
/** The share of players, or servers, who cheat. */
const cheats = { players: 0.04, servers: 0.15 };
/** The share of new accounts whose person shares a home, and so device and network, with somebody who plays. */
const siblings = 0.01;
/** Every fourth round is at a quiet hour. */
const quietEvery = 4;

interface Player {
  readonly id: string;
  readonly skill: number;
  readonly cheats: boolean;
  /** The chance to play in a round, by day and at a quiet hour. */
  readonly activity: number;
  readonly quiet: number;
  readonly joins: number;
  /** The round from which another account of the person plays. */
  readonly leaves: number;
  readonly partner: string | null;
  readonly style: number;
  /** Matches that are left of the part of a cheat: throwing or playing. */
  left: number;
  throwing: boolean;
}

/** A simulated league with cheats of one kind among honest players. */
export class League {
  /** Players, pairs (`a b`) or servers who cheat. */
  readonly cheats = new Set<string>();
  private readonly random: Random;
  private readonly players: Player[];
  private readonly byId: ReadonlyMap<string, Player>;
  private readonly turns = new Map<string, number>();
  private readonly habits = new Map<string, Habits>();

  constructor(private readonly options: LeagueOptions) {
    this.random = seededRandom(options.seed);
    this.players = this.draw();
    if (options.kind === 'alternate') this.goOnUnderNewIds();
    this.byId = new Map(this.players.map((player) => [player.id, player]));
    if (options.kind === 'server')
      for (let i = 0; i < Math.round(servers * cheats.servers); i++) this.cheats.add(serverName(i));
  }

  /** Whether a player's first match is one of a running league, not of its first day. */
  joinsLate(playerId: string): boolean {
    return (this.byId.get(playerId)?.joins ?? 0) >= this.options.warmUp;
  }

  /** What a game tells of the device, settings and network of a player's person; nothing unless the league is about that. */
  habitsOf(playerId: string): Habits {
    return this.habits.get(playerId) ?? {};
  }

  /** Plays all rounds. @param meanOf the present rating of a player, by which matches are formed */
  *play(meanOf: (playerId: string) => number): Generator<LeagueMatch> {
    const { warmUp, rounds } = this.options;
    for (let round = 0; round < warmUp + rounds; round++)
      for (const teams of this.matched(round, meanOf)) {
        const server = serverName(Math.floor(this.random() * servers));
        yield { teams, ranks: this.decided(teams, round, server), server, round };
      }
  }

  private draw(): Player[] {
    const { players, kind, warmUp, rounds } = this.options;
    const { random } = this;
    const cheaters =
      kind === 'server' || kind === 'alternate' ? 0 : 2 * Math.round((players * cheats.players) / 2);
    return Array.from({ length: players }, (_, i): Player => {
      const isCheat = i < cheaters;
      const id = `p${i}`;
      const partner = kind === 'collusion' && isCheat ? `p${i % 2 === 0 ? i + 1 : i - 1}` : null;
      if (isCheat) this.cheats.add(partner === null ? id : pairName(id, partner));
      const hasNew = kind === 'newcomer' || kind === 'alternate';
      const isNew = hasNew && (isCheat || random() < 0.5);
      const level = kind === 'newcomer' && isCheat ? 2 + random() : normal(random);
      const owl = random() < 0.1;
      return {
        id,
        skill: startSkill.mean + level * startSkill.sigma,
        cheats: isCheat,
        activity: 0.3 + 0.6 * random(),
        quiet: owl ? 0.6 : 0.02,
        joins: isNew ? warmUp + Math.floor(rounds * 0.6 * random()) : 0,
        leaves: Infinity,
        partner,
        // Pairs have one style.
        style: Math.floor(i / 2) % 2,
        left: 0,
        throwing: false,
      };
    });
  }

  /** Some of the experienced players leave their account for a new one. All keep their skill, and most of their habits. */
  private goOnUnderNewIds(): void {
    const { warmUp, rounds, players: many } = this.options;
    const { random } = this;
    const draws = new HabitDraws(random);
    for (const { id } of this.players) this.habits.set(id, draws.own());
    for (const { id, joins } of this.players) {
      const other = this.players[Math.floor(random() * this.players.length)];
      if (joins >= warmUp && other && other.id !== id && random() < siblings)
        this.habits.set(id, draws.sibling(this.habitsOf(other.id)));
    }
    const movers = this.players
      .filter(({ joins }) => joins < warmUp)
      .slice(0, Math.round(many * cheats.players));
    for (const mover of movers) {
      const joins = warmUp + Math.floor(rounds * 0.6 * random());
      const id = `${mover.id}-again`;
      this.players[this.players.indexOf(mover)] = { ...mover, leaves: joins };
      this.players.push({ ...mover, id, joins });
      this.habits.set(id, draws.again(this.habitsOf(mover.id)));
      this.cheats.add(id);
    }
  }

  /** Matches of a round: neighbours by rating, and colluders who queue at the same moment. */
  private matched(round: number, meanOf: (playerId: string) => number): string[][][] {
    const { teamSize, warmUp } = this.options;
    const isQuiet = round % quietEvery === quietEvery - 1;
    const present = this.players.filter(
      ({ joins, leaves, activity, quiet }) =>
        joins <= round && round < leaves && this.random() < (isQuiet ? quiet : activity),
    );
    const waiting = present
      .map(({ id }) => ({ id, at: meanOf(id) + 2 * normal(this.random) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ id }) => id);
    if (round >= warmUp) this.bringTogether(waiting);
    const matches: string[][][] = [];
    for (let i = 0; i + 2 * teamSize <= waiting.length; i += 2 * teamSize) {
      const group = waiting.slice(i, i + 2 * teamSize);
      // Snake order keeps teams even, and neighbours apart.
      const first = group.filter((_, p) => p % 4 === 0 || p % 4 === 3);
      const other = group.filter((_, p) => p % 4 === 1 || p % 4 === 2);
      matches.push(this.random() < 0.5 ? [first, other] : [other, first]);
    }
    return matches;
  }

  /** Puts colluders who are both present beside each other, more often than not. */
  private bringTogether(waiting: string[]): void {
    for (const pair of this.players.filter(({ partner, cheats: cheating }) => cheating && partner !== null)) {
      const { id, partner } = pair;
      if (partner === null || id > partner || this.random() < 0.4) continue;
      const at = waiting.indexOf(id);
      const other = waiting.indexOf(partner);
      if (at < 0 || other < 0) continue;
      const seat = at - (at % 2) + (at % 2 === 0 ? 1 : 0);
      const taken = waiting[seat];
      if (taken === undefined) continue;
      waiting[seat] = partner;
      waiting[other] = taken;
    }
  }

  private decided(teams: readonly (readonly string[])[], round: number, server: string): number[] {
    const isCheating = round >= this.options.warmUp;
    const opponents = (team: number): readonly string[] => teams[1 - team] ?? [];
    const strength = teams.map((team, t) =>
      team.reduce((sum, id) => sum + this.performance(id, isCheating, opponents(t)), 0),
    );
    if (isCheating && this.cheats.has(server)) this.bend(strength, server, teams[0]?.length ?? 1);
    const [first = 0, other = 0] = strength;
    return first >= other ? [1, 2] : [2, 1];
  }

  private performance(id: string, isCheating: boolean, opponents: readonly string[]): number {
    const player = this.byId.get(id);
    if (!player) throw new Error(`${id} is in no league`);
    const own = player.skill + performanceSigma * normal(this.random);
    if (!isCheating || !player.cheats) return own;
    if (this.options.kind === 'thrown') return this.isThrown(player) ? thrownSkill : own;
    if (player.partner !== null && opponents.includes(player.partner) && this.isAgreedLoss(player))
      return thrownSkill;
    return own;
  }

  /** Throws some matches, then plays some from a rating that is too low. */
  private isThrown(player: Player): boolean {
    if (player.left === 0) {
      player.throwing = !player.throwing;
      player.left = player.throwing ? 5 + Math.floor(6 * this.random()) : 8 + Math.floor(10 * this.random());
    }
    player.left--;
    return player.throwing;
  }

  /** Of one style the second always loses; of the other they take turns. */
  private isAgreedLoss({ id, partner, style }: Player): boolean {
    const isSecond = partner !== null && id > partner;
    if (style === 0) return isSecond;
    const pair = pairName(id, partner ?? id);
    const turn = this.turns.get(pair) ?? 0;
    // Each of the two asks once a match.
    this.turns.set(pair, turn + 1);
    return Math.floor(turn / 2) % 2 === Number(isSecond);
  }

  /** One half of the flawed servers decides by chance, the other favours the first team. */
  private bend(strength: number[], server: string, teamSize: number): void {
    const isEven = Number(server.slice(1)) % 2 === 0;
    if (isEven) strength[0] = (strength[1] ?? 0) + (this.random() < 0.5 ? 1 : -1);
    else strength[0] = (strength[0] ?? 0) + performanceSigma * Math.sqrt(2 * teamSize);
  }
}

const serverName = (i: number): string => `s${i}`;

/** The name of a pair, whoever comes first. */
export function pairName(one: string, other: string): string {
  return [one, other].toSorted().join(' ');
}

/** A draw from the standard normal distribution. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
