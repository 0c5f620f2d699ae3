import type { Habits } from '@muster/domain';
import {
  alternateLog,
  isCommon,
  likeliestOlder,
  mostAccounts,
  type OlderAccount,
  type OwnHabit,
  type WatchedMatch,
} from '@muster/skill';
import type { Ladder } from './ladder.js';
import type { Statistics } from './statistics.js';
import { Tracks } from './tracks.js';

/** Baselines: the number of habits that equal those of an older account that the new one never met, of all and of uncommon ones. */
export function alternates(
  isWatched: (playerId: string) => boolean,
  habitsOf: (playerId: string) => Habits,
): Statistics {
  const signal = new Tracks();
  const all = new Tracks();
  const uncommon = new Tracks();
  const accounts = new Accounts(habitsOf);
  return {
    signal,
    baselines: new Map([
      ['equal habits', all],
      ['equal uncommon habits', uncommon],
    ]),
    take(match, { players }: Ladder) {
      accounts.take(match);
      for (const playerId of match.teams.flat()) {
        if (!isWatched(playerId)) continue;
        const watch = players.get(playerId)?.newcomer;
        if (!watch) continue;
        const own = accounts.habitsOf(playerId);
        const older = accounts.olderThan(playerId, (id) => !players.get(id)?.newcomer);
        const found = likeliestOlder(own, watch, older, 0);
        const after = accounts.matchesOf(playerId);
        signal.note(playerId, after, found ? alternateLog(own, found.habits, watch) : -Infinity);
        const most = (habits: readonly OwnHabit[]): number =>
          Math.max(0, ...older.map((each) => equal(habits, each)));
        all.note(playerId, after, most(own));
        uncommon.note(playerId, after, most(own.filter((habit) => !isCommon(habit))));
      }
    },
  };
}

const equal = (own: readonly OwnHabit[], { habits }: OlderAccount): number =>
  own.filter(({ kind, code }) => habits.get(kind) === code).length;

/** The accounts that have played, with the habits that were told of them. */
class Accounts {
  private readonly matches = new Map<string, number>();
  private readonly met = new Map<string, Set<string>>();
  private readonly holders = new Map<string, string[]>();
  /** Number of accounts before each. */
  private readonly joined = new Map<string, number>();

  constructor(private readonly told: (playerId: string) => Habits) {}

  take({ teams }: WatchedMatch): void {
    const players = teams.flat();
    for (const playerId of players) {
      this.matches.set(playerId, this.matchesOf(playerId) + 1);
      const met = this.met.get(playerId) ?? new Set();
      for (const other of players) met.add(other);
      this.met.set(playerId, met);
      if (this.joined.has(playerId)) continue;
      this.joined.set(playerId, this.joined.size);
      for (const code of Object.values(this.told(playerId)))
        this.holders.set(code, [...(this.holders.get(code) ?? []), playerId]);
    }
  }

  matchesOf(playerId: string): number {
    return this.matches.get(playerId) ?? 0;
  }

  habitsOf(playerId: string): OwnHabit[] {
    const players = Math.min(mostAccounts, this.joined.size);
    return Object.entries(this.told(playerId)).map(([kind, code]) => ({
      kind,
      code,
      players,
      holders: this.holders.get(code)?.length ?? 0,
    }));
  }

  /** The accounts with an equal habit that were there before, and were in no match with the new one. */
  olderThan(playerId: string, isKnown: (playerId: string) => boolean): OlderAccount[] {
    const since = this.joined.get(playerId) ?? 0;
    const ids = new Set(Object.values(this.told(playerId)).flatMap((code) => this.holders.get(code) ?? []));
    return [...ids].flatMap((id): OlderAccount[] => {
      const isOlder = isKnown(id) || (this.joined.get(id) ?? 0) < since;
      if (!isOlder || this.met.get(playerId)?.has(id) === true) return [];
      const habits = new Map(Object.entries(this.told(id)));
      return [{ playerId: id, habits, isOlder, hasMet: false, isJudged: false }];
    });
  }
}
