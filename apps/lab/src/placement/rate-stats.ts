import { grouped } from '@muster/domain';
import { defaultPoolRules, poolModelOf, uncalibrated, type SkillState } from '@muster/skill';
import type { RefusedRow } from '../match-file/broken-row.js';
import { fillShares } from '../match-file/shares.js';
import type { StatsRow } from './stats-file.js';

/** The model of the ratings. */
export const ratedBy = 'openskill-plackett-luce';

/** The rated matches of a stats file. */
export interface RatedStats {
  /** Rows of rated matches. */
  readonly rows: readonly StatsRow[];
  /** Rejected matches, by their first row. */
  readonly refused: readonly RefusedRow[];
  /** Each player's final mean. */
  readonly ratings: ReadonlyMap<string, number>;
}

/** Rates the matches, oldest first: sides are teams, and winners rank before the others. */
export function rateStats(rows: readonly StatsRow[]): RatedStats {
  const pool = poolModelOf({
    ...defaultPoolRules,
    model: ratedBy,
    parameters: {},
    circumstances: [],
    partyBonus: 'none',
  });
  const stranger = pool.model.initial();
  const states = new Map<string, SkillState>();
  const rated: StatsRow[] = [];
  const refused: RefusedRow[] = [];
  for (const match of matchesOf(rows)) {
    const teams = teamsOf(match);
    const flaw = flawOf(teams);
    if (flaw !== null) {
      refused.push({ line: match[0]?.line ?? 0, reason: flaw });
      continue;
    }
    const { after } = pool.judge(
      {
        teams: teams.map((team) => team.map(({ player }) => states.get(player) ?? stranger)),
        shares: fillShares(teams.map((team) => team.map(({ share }) => share))),
        at: match[0]?.at,
      },
      teams.map((team) => (team[0]?.won ? 1 : 2)),
      uncalibrated,
    );
    teams.forEach((team, t) =>
      team.forEach(({ player }, p) => states.set(player, after[t]?.[p] ?? stranger)),
    );
    rated.push(...match);
  }
  const ratings = new Map([...states].map(([player, state]) => [player, pool.model.belief(state).mu]));
  return { rows: rated, refused, ratings };
}

/** Rows by match, oldest first; matches of the same time keep their order. */
function matchesOf(rows: readonly StatsRow[]): StatsRow[][] {
  const matches = grouped(rows, ({ match }) => match);
  return [...matches.values()].toSorted((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0));
}

function teamsOf(match: readonly StatsRow[]): StatsRow[][] {
  return [...grouped(match, ({ side }) => side)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, team]) => team);
}

/** Why a match cannot be rated; null if it can. */
function flawOf(teams: readonly (readonly StatsRow[])[]): string | null {
  const [first] = teams[0] ?? [];
  const match = JSON.stringify(first?.match ?? '');
  if (teams.length < 2) return `match ${match} has one side only`;
  const contradictory = teams.find((team) => team.some(({ won }) => won !== team[0]?.won));
  return contradictory
    ? `match ${match} has contradictory results of side ${JSON.stringify(contradictory[0]?.side)}`
    : null;
}
