import type { Ticket } from '@muster/domain';
import { platformFactsOf, platformGroup, platformsMet, type PlatformFacts } from '../../cross-play.js';
import type { CompiledRules } from '../compiled-rules.js';
import type { Lane } from './lane.js';

/** Tickets that may all meet, as far as build, shape of the match, behaviour and platform decide. */
export interface Group {
  /** With every attribute that they share. */
  readonly name: string;
  readonly rules: CompiledRules;
  /** By region; -1: tickets that accept any. */
  readonly lanes: Map<number, Lane>;
  /** The platforms of its tickets; null: all. */
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
  /** Classes with an entry to it. */
  classes: number;
}

/** How tickets enter a group. */
export interface GroupEntry {
  readonly group: Group;
  /** Only after a separation time: for tickets of low behaviour. */
  readonly isLate: boolean;
}

/** Tickets that are equal in all that decides their opponents, except regions and skill. */
export interface TicketClass {
  readonly index: number;
  readonly build: string;
  readonly rules: CompiledRules;
  readonly low: boolean;
  readonly facts: PlatformFacts;
  /** Groups that they may be in; explanations use the first. */
  readonly entries: readonly [GroupEntry, ...GroupEntry[]];
  readonly key: string;
  tickets: number;
  players: number;
}

/** Assigns tickets to classes and groups. Empty ones are removed: clients choose builds and platforms freely. */
export class TicketClasses {
  private readonly byKey = new Map<string, TicketClass>();
  private readonly byIndex: (TicketClass | undefined)[] = [];
  private readonly free: number[] = [];
  private readonly byName = new Map<string, Group>();
  private ordered: Group[] | null = null;
  private empty: TicketClass[] = [];

  get groups(): readonly Group[] {
    return (this.ordered ??= [...this.byName.values()]);
  }

  /** The class of an index that a ticket's row holds. */
  at(index: number): TicketClass {
    return this.byIndex[index]!;
  }

  /** Adds a ticket to its class. @returns the class */
  enter(ticket: Ticket, rules: CompiledRules, low: boolean): TicketClass {
    const { build, players } = ticket;
    const facts = platformFactsOf(ticket);
    const { platforms, only } = facts;
    // The rules of two shapes never have the same text, so the rest can follow it.
    const key = JSON.stringify([build, rules.shape, low, platforms, only !== null]);
    const ticketClass = this.byKey.get(key) ?? this.open(key, build, rules, low, facts);
    this.count(ticketClass, 1, players.length);
    return ticketClass;
  }

  /** Removes a ticket from its class. */
  leave(ticketClass: TicketClass, players: number): void {
    this.count(ticketClass, -1, -players);
    if (ticketClass.tickets === 0) this.empty.push(ticketClass);
  }

  /** Removes empty classes and groups. No row of a living ticket names them. @returns whether groups were removed */
  release(): boolean {
    const before = this.byName.size;
    for (const ticketClass of this.empty) {
      if (ticketClass.tickets > 0 || this.byKey.get(ticketClass.key) !== ticketClass) continue;
      this.byKey.delete(ticketClass.key);
      this.byIndex[ticketClass.index] = undefined;
      this.free.push(ticketClass.index);
      for (const { group } of ticketClass.entries) {
        group.classes -= 1;
        if (group.classes === 0) this.byName.delete(group.name);
      }
    }
    this.empty = [];
    if (this.byName.size < before) this.ordered = null;
    return this.byName.size < before;
  }

  /** Players of the same build, shape and behaviour, on any platform. */
  playersOfAnyPlatform({ build, rules, low }: TicketClass): number {
    let players = 0;
    for (const ticketClass of this.byKey.values())
      if (ticketClass.build === build && ticketClass.low === low && ticketClass.rules.shape === rules.shape)
        players += ticketClass.players;
    return players;
  }

  private count(ticketClass: TicketClass, tickets: 1 | -1, players: number): void {
    ticketClass.tickets += tickets;
    ticketClass.players += players;
    for (const { group, isLate } of ticketClass.entries) {
      if (!isLate) group.players += players;
      group.tickets += tickets;
      if (ticketClass.facts.only !== null) group.requests += tickets;
    }
  }

  private open(
    key: string,
    build: string,
    rules: CompiledRules,
    low: boolean,
    facts: PlatformFacts,
  ): TicketClass {
    const index = this.free.pop() ?? this.byIndex.length;
    const entries = this.entriesOf(build, rules, low, facts);
    for (const { group } of entries) group.classes += 1;
    const ticketClass = { index, build, rules, low, facts, entries, key, tickets: 0, players: 0 };
    this.byIndex[index] = ticketClass;
    this.byKey.set(key, ticketClass);
    return ticketClass;
  }

  /** The groups of a ticket: one with all that it may meet, and, if it has one platform, the one of that platform alone. */
  private entriesOf(
    build: string,
    rules: CompiledRules,
    low: boolean,
    { platforms, only }: PlatformFacts,
  ): readonly [GroupEntry, ...GroupEntry[]] {
    const { crossPlay } = rules.rules;
    const shape = `${build} ${rules.shape}`;
    const met = platformsMet(crossPlay, platforms);
    const all = `${shape} ${platformGroup(crossPlay, platforms)}`;
    const entriesTo = (
      name: string,
      of: readonly string[] | null,
      onRequest: boolean,
    ): [GroupEntry, ...GroupEntry[]] => {
      const entry = (isLow: boolean, isLate: boolean): GroupEntry => ({
        group: this.groupOf(isLow ? `${name} low` : name, rules, of, onRequest),
        isLate,
      });
      return low ? [entry(true, false), entry(false, true)] : [entry(false, false)];
    };
    const [one = ''] = platforms;
    const alone = (): [GroupEntry, ...GroupEntry[]] => entriesTo(`${shape} only ${one}`, platforms, true);
    if (only !== null) return alone();
    return platforms.length === 1 && one !== ''
      ? [...entriesTo(all, met, false), ...alone()]
      : entriesTo(all, met, false);
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
      classes: 0,
    };
    this.byName.set(name, group);
    this.ordered = null;
    return group;
  }
}
