import type { Random } from '@muster/domain';
import type { Roster } from '@muster/sdk';
import { hiddenSkill } from '../population.js';

export type Side = 0 | 1;

export const sideNames = ['Red', 'Blue'] as const;

interface Fighter {
  readonly playerId: string;
  side: Side;
  /** Kills on this map. */
  points: number;
  alive: boolean;
}

export interface RoundResult {
  /** The teams at the start of the round. */
  readonly teams: readonly [readonly string[], readonly string[]];
  readonly winner: Side;
}

/** Weight of skill differences, relative to that of presence. */
const presence = 1.5;
/** Weight of chance in a fight; more makes matches more even. */
const luck = 2.4;
/** Deaths per moment and player. */
const deathRate = 0.12;

/** A player's strength in a fight: presence plus hidden skill. */
export function worth(playerId: string): number {
  return Math.max(0.3, presence + hiddenSkill(playerId));
}

/** The chance of the first team by true skill; ½ for an empty server. */
export function chanceOf(teams: readonly [readonly string[], readonly string[]]): number {
  const [first, second] = teams.map((team) => team.reduce((sum, id) => sum + worth(id), 0));
  const players = teams[0].length + teams[1].length;
  const lead = (first ?? 0) - (second ?? 0);
  return players === 0 ? 0.5 : 1 / (1 + Math.exp((-1.7 * lead) / (luck * Math.sqrt(players))));
}

/** A match of two teams on a server that people join and leave: fights by hidden skill, round after round. */
export class ArenaMatch {
  private readonly fighters = new Map<string, Fighter>();
  private lineUp: readonly [readonly string[], readonly string[]] = [[], []];
  private chances: number[] = [];
  private kills: [number, number] = [0, 0];

  /** @param random the chance in fights */
  constructor(private readonly random: Random) {}

  get present(): readonly string[] {
    return [...this.fighters.keys()];
  }

  get teams(): readonly [readonly string[], readonly string[]] {
    return [this.idsOf(0), this.idsOf(1)];
  }

  /** The chance of the first team by true skill. Nobody on the server knows it. */
  get chance(): number {
    return chanceOf(this.teams);
  }

  /** The team that visibly loses this round; null when neither does. */
  get behind(): Side | null {
    const [first, second] = this.kills;
    return first === second ? null : first < second ? 0 : 1;
  }

  /** Whether one team is losing so clearly that its players call a vote. */
  get isStomp(): boolean {
    const [first, second] = this.kills;
    return first + second >= 6 && Math.max(first, second) >= 2 * Math.min(first, second);
  }

  has(playerId: string): boolean {
    return this.fighters.has(playerId);
  }

  sideOf(playerId: string): Side | null {
    return this.fighters.get(playerId)?.side ?? null;
  }

  join(playerId: string, side: Side): void {
    if (!this.has(playerId)) this.fighters.set(playerId, { playerId, side, points: 0, alive: true });
  }

  leave(playerId: string): void {
    this.fighters.delete(playerId);
  }

  /** @returns whether they are present, and were on the other side */
  move(playerId: string, side: Side): boolean {
    const fighter = this.fighters.get(playerId);
    if (!fighter || fighter.side === side) return false;
    fighter.side = side;
    return true;
  }

  /** New teams for the people present; players who are not named stay. */
  seat(teams: readonly (readonly string[])[]): void {
    for (const side of [0, 1] as const) for (const playerId of teams[side] ?? []) this.move(playerId, side);
  }

  /** Everybody begins with 0 points, alive. */
  newMap(): void {
    for (const fighter of this.fighters.values()) fighter.points = 0;
    this.beginRound();
  }

  beginRound(): void {
    for (const fighter of this.fighters.values()) fighter.alive = true;
    this.lineUp = this.teams;
    this.chances = [];
    this.kills = [0, 0];
  }

  /** Plays one moment: the dead respawn, and some players die. @returns how many died */
  fight(): number {
    for (const fighter of this.fighters.values()) fighter.alive = true;
    const { chance } = this;
    this.chances.push(chance);
    const deaths = Math.floor(this.fighters.size * deathRate + this.random());
    let died = 0;
    for (let i = 0; i < deaths; i++) {
      const side: Side = this.random() < chance ? 0 : 1;
      const killer = this.pick(side, (fighter) => worth(fighter.playerId));
      const victim = this.pick(side === 0 ? 1 : 0, (fighter) => 1 / worth(fighter.playerId));
      if (!killer || !victim) continue;
      killer.points++;
      this.kills[side]++;
      victim.alive = false;
      died++;
    }
    return died;
  }

  /** The result of the round, by its chances over time. @returns null when a team was empty */
  endRound(): RoundResult | null {
    const mean = this.chances.reduce((sum, chance) => sum + chance, 0) / Math.max(1, this.chances.length);
    const winner: Side = this.random() < mean ? 0 : 1;
    const teams = this.lineUp;
    return teams[0].length === 0 || teams[1].length === 0 ? null : { teams, winner };
  }

  /** In the server's view; ratings come from the pool. */
  roster(): Roster {
    return {
      teams: 2,
      teamNames: [...sideNames],
      players: [...this.fighters.values()].map(({ playerId, side, points, alive }) => ({
        playerId,
        team: side,
        points,
        alive,
      })),
    };
  }

  private idsOf(side: Side): string[] {
    return [...this.fighters.values()].flatMap((fighter) =>
      fighter.side === side ? [fighter.playerId] : [],
    );
  }

  /** A living player of a side, drawn by weight. */
  private pick(side: Side, weightOf: (fighter: Fighter) => number): Fighter | undefined {
    const alive = [...this.fighters.values()].filter((fighter) => fighter.side === side && fighter.alive);
    let left = this.random() * alive.reduce((sum, fighter) => sum + weightOf(fighter), 0);
    return alive.find((fighter) => (left -= weightOf(fighter)) < 0) ?? alive.at(-1);
  }
}
