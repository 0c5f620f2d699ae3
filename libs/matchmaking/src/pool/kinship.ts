import type { Ticket } from '@muster/domain';
import { platformFactsOf, platformGroup, platformsMet, type PlatformFacts } from '../cross-play.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Lane } from './lane.js';

/** Tickets that may all meet, as far as build, shape of the match, behaviour and platform decide. */
export interface Group {
  /** Of all that they have in common. */
  readonly name: string;
  readonly rules: CompiledRules;
  /** By region; -1: those to whom any will do. */
  readonly lanes: Map<number, Lane>;
  /** Who may be in it, by platform; null: all. */
  readonly platforms: readonly string[] | null;
  /** A group of one platform, which has lanes only while a ticket asks for it. */
  readonly onRequest: boolean;
  /** Tickets that ask for it: they play without cross-play. */
  requests: number;
  isOpen: boolean;
  /** Tickets that may be in it by now or later. */
  tickets: number;
  /** Players who may be in it from the start, whether or not they share a region. */
  players: number;
  /** Kins that have a door to it. */
  kins: number;
}

/** How tickets come into a group. */
export interface Door {
  readonly group: Group;
  /** Only when they have been apart for long enough: for tickets of low behaviour. */
  readonly isLate: boolean;
}

/** Tickets that are alike in all that decides whom they may meet, but for regions and skill. */
export interface Kin {
  readonly index: number;
  readonly build: string;
  readonly rules: CompiledRules;
  readonly low: boolean;
  readonly facts: PlatformFacts;
  /** Groups that they may be in; the first is the one that they are told of. */
  readonly doors: readonly [Door, ...Door[]];
  readonly key: string;
  tickets: number;
  players: number;
}

/** Who is alike, and in which groups. What nobody is in any more is let go: clients choose builds and platforms. */
export class Kinship {
  private readonly byKey = new Map<string, Kin>();
  private readonly byIndex: (Kin | undefined)[] = [];
  private readonly free: number[] = [];
  private readonly byName = new Map<string, Group>();
  private ordered: Group[] | null = null;
  private empty: Kin[] = [];

  get groups(): readonly Group[] {
    return (this.ordered ??= [...this.byName.values()]);
  }

  /** The kin of an index that a ticket's row holds. */
  at(index: number): Kin {
    return this.byIndex[index]!;
  }

  /** Counts a ticket in. @returns its kin */
  enter(ticket: Ticket, rules: CompiledRules, low: boolean): Kin {
    const { build, players } = ticket;
    const facts = platformFactsOf(ticket);
    const { platforms, only } = facts;
    // The rules of two shapes are never the same text, so the rest can follow it.
    const key = JSON.stringify([build, rules.shape, low, platforms, only !== null]);
    const kin = this.byKey.get(key) ?? this.open(key, build, rules, low, facts);
    this.count(kin, 1, players.length);
    return kin;
  }

  /** Counts a ticket out. */
  leave(kin: Kin, players: number): void {
    this.count(kin, -1, -players);
    if (kin.tickets === 0) this.empty.push(kin);
  }

  /** Lets go of kins and groups that nobody is in. No row of a living ticket names them. @returns whether groups went */
  release(): boolean {
    const before = this.byName.size;
    for (const kin of this.empty) {
      if (kin.tickets > 0 || this.byKey.get(kin.key) !== kin) continue;
      this.byKey.delete(kin.key);
      this.byIndex[kin.index] = undefined;
      this.free.push(kin.index);
      for (const { group } of kin.doors) {
        group.kins -= 1;
        if (group.kins === 0) this.byName.delete(group.name);
      }
    }
    this.empty = [];
    if (this.byName.size < before) this.ordered = null;
    return this.byName.size < before;
  }

  /** Players of the same build, shape and behaviour, whatever their platforms. */
  playersOfAnyPlatform({ build, rules, low }: Kin): number {
    let players = 0;
    for (const kin of this.byKey.values())
      if (kin.build === build && kin.low === low && kin.rules.shape === rules.shape) players += kin.players;
    return players;
  }

  private count(kin: Kin, tickets: 1 | -1, players: number): void {
    kin.tickets += tickets;
    kin.players += players;
    for (const { group, isLate } of kin.doors) {
      if (!isLate) group.players += players;
      group.tickets += tickets;
      if (kin.facts.only !== null) group.requests += tickets;
    }
  }

  private open(key: string, build: string, rules: CompiledRules, low: boolean, facts: PlatformFacts): Kin {
    const index = this.free.pop() ?? this.byIndex.length;
    const doors = this.doorsOf(build, rules, low, facts);
    for (const { group } of doors) group.kins += 1;
    const kin = { index, build, rules, low, facts, doors, key, tickets: 0, players: 0 };
    this.byIndex[index] = kin;
    this.byKey.set(key, kin);
    return kin;
  }

  /** The groups of a ticket: with all that it may meet, and, where it is of one platform, with that platform alone. */
  private doorsOf(
    build: string,
    rules: CompiledRules,
    low: boolean,
    { platforms, only }: PlatformFacts,
  ): readonly [Door, ...Door[]] {
    const { crossPlay } = rules.rules;
    const shape = `${build} ${rules.shape}`;
    const met = platformsMet(crossPlay, platforms);
    const all = `${shape} ${platformGroup(crossPlay, platforms)}`;
    const doorsTo = (name: string, of: readonly string[] | null, onRequest: boolean): [Door, ...Door[]] => {
      const door = (isLow: boolean, isLate: boolean): Door => ({
        group: this.groupOf(isLow ? `${name} low` : name, rules, of, onRequest),
        isLate,
      });
      return low ? [door(true, false), door(false, true)] : [door(false, false)];
    };
    const [one = ''] = platforms;
    const alone = (): [Door, ...Door[]] => doorsTo(`${shape} only ${one}`, platforms, true);
    if (only !== null) return alone();
    return platforms.length === 1 && one !== ''
      ? [...doorsTo(all, met, false), ...alone()]
      : doorsTo(all, met, false);
  }

  private groupOf(
    name: string,
    rules: CompiledRules,
    platforms: readonly string[] | null,
    onRequest: boolean,
  ): Group {
    const known = this.byName.get(name);
    if (known) return known;
    const group = {
      name,
      rules,
      lanes: new Map<number, Lane>(),
      platforms,
      onRequest,
      requests: 0,
      isOpen: !onRequest,
      tickets: 0,
      players: 0,
      kins: 0,
    };
    this.byName.set(name, group);
    this.ordered = null;
    return group;
  }
}
