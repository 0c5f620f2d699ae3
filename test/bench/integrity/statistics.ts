import type { Habits, SignalKind } from '@muster/domain';
import { collusionOf, newcomerEvidence, type WatchedMatch } from '@muster/skill';
import { alternates } from './alternates.js';
import type { Ladder } from './ladder.js';
import { pairName } from './league.js';
import { Tracks } from './tracks.js';

/** The signal of a kind, and its plain baselines, followed match by match. */
export interface Statistics {
  readonly signal: Tracks;
  /** By name: the baseline with several windows. The best counts. */
  readonly baselines: ReadonlyMap<string, Tracks>;
  /** Counts a match that the ladder has watched. */
  take(match: WatchedMatch, ladder: Ladder): void;
}

/** @param isWatched whether a player's first matches count */
export function statisticsOf(
  kind: SignalKind,
  isWatched: (playerId: string) => boolean,
  habitsOf: (playerId: string) => Habits,
): Statistics {
  switch (kind) {
    case 'newcomer':
      return newcomers(isWatched);
    case 'thrown':
      return thrown();
    case 'collusion':
      return collusion();
    case 'server':
      return servers();
    case 'alternate':
      return alternates(isWatched, habitsOf);
  }
}

const outcomeOf = ({ ranks }: WatchedMatch, team: number): number =>
  ranks.some((rank, other) => other !== team && rank < (ranks[team] ?? 0)) ? 0 : 1;

/** Baseline: wins among the first matches. */
function newcomers(isWatched: (playerId: string) => boolean): Statistics {
  const signal = new Tracks();
  const windows = [8, 10, 12, 15, 20];
  const baselines = new Map(windows.map((first) => [`wins of the first ${first}`, new Tracks()]));
  const wins = new Map<string, { matches: number; won: number }>();
  return {
    signal,
    baselines,
    take(match, { players }) {
      match.teams.forEach((team, t) =>
        team.forEach((playerId) => {
          if (!isWatched(playerId)) return;
          const { matches, won } = wins.get(playerId) ?? { matches: 0, won: 0 };
          const now = { matches: matches + 1, won: won + outcomeOf(match, t) };
          wins.set(playerId, now);
          const watch = players.get(playerId);
          if (watch?.newcomer) signal.note(playerId, now.matches, newcomerEvidence(watch.newcomer));
          [...baselines.values()].forEach((tracks, i) => {
            if (now.matches <= (windows[i] ?? 0))
              tracks.note(playerId, now.matches, now.matches === windows[i] ? now.won : 0);
          });
        }),
      );
    },
  };
}

/** Baseline: losses in a row. */
function thrown(): Statistics {
  const signal = new Tracks();
  const inARow = new Tracks();
  const runs = new Map<string, { matches: number; run: number }>();
  return {
    signal,
    baselines: new Map([['losses in a row', inARow]]),
    take(match, { players }) {
      match.teams.forEach((team, t) =>
        team.forEach((playerId) => {
          const { matches, run } = runs.get(playerId) ?? { matches: 0, run: 0 };
          const now = { matches: matches + 1, run: outcomeOf(match, t) === 0 ? run + 1 : 0 };
          runs.set(playerId, now);
          signal.note(playerId, now.matches, players.get(playerId)?.thrown.evidence.log ?? 0);
          inARow.note(playerId, now.matches, now.run);
        }),
      );
    },
  };
}

/** Baseline: meetings of a pair, in all and among the latest matches of a player. Honest subjects are pairs that met twice. */
function collusion(): Statistics {
  const signal = new Tracks();
  const windows = [10, 20, 1e9];
  const names = ['meetings in 10 matches', 'meetings in 20 matches', 'meetings'];
  const baselines = new Map(names.map((name) => [name, new Tracks()]));
  const matches = new Map<string, number>();
  /** By pair, the matches of the first of them at which they met. */
  const met = new Map<string, number[]>();
  return {
    signal,
    baselines,
    take(match, { players }) {
      for (const playerId of match.teams.flat()) matches.set(playerId, (matches.get(playerId) ?? 0) + 1);
      for (const one of match.teams[0] ?? [])
        for (const other of match.teams[1] ?? []) {
          const pair = pairName(one, other);
          const first = one < other ? one : other;
          const at = matches.get(first) ?? 0;
          const times = [...(met.get(pair) ?? []), at];
          met.set(pair, times);
          const seen = [one, other].flatMap((playerId) =>
            (players.get(playerId)?.opponents ?? []).filter(
              (each) => each.playerId === (playerId === one ? other : one),
            ),
          );
          signal.note(pair, times.length, Math.max(0, ...seen.map(collusionOf)));
          [...baselines.values()].forEach((tracks, i) => {
            const recent = times.filter((time) => time > at - (windows[i] ?? 0));
            tracks.note(pair, times.length, recent.length);
          });
        }
    },
  };
}

/** Baseline: upsets, the share of matches that the favourite did not win. */
function servers(): Statistics {
  const signal = new Tracks();
  const windows = [50, 100, 200];
  const baselines = new Map(windows.map((size) => [`upsets in ${size} matches`, new Tracks()]));
  const history = new Map<string, number[]>();
  return {
    signal,
    baselines,
    take(match, { servers: watches }) {
      const { server, chances } = match;
      if (server === null) return;
      const favourite = chances.indexOf(Math.max(...chances));
      const upsets = [...(history.get(server) ?? []), 1 - outcomeOf(match, favourite)];
      history.set(server, upsets);
      signal.note(server, upsets.length, watches.get(server)?.evidence.log ?? 0);
      [...baselines.values()].forEach((tracks, i) => {
        const size = windows[i] ?? 0;
        const recent = upsets.slice(-size);
        tracks.note(
          server,
          upsets.length,
          recent.length < size ? 0 : recent.reduce((sum, each) => sum + each, 0),
        );
      });
    },
  };
}
