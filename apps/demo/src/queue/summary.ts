import type { MatchView } from '@muster/contracts';
import { seededRandom, type Random } from '@muster/domain';
import type { OperatorClient } from '@muster/sdk';
import { hiddenSkill } from '../population.js';
import type { PlayersReport } from './players.js';

/** The results of a demo run; printed as its last line. */
export interface DemoSummary {
  matchesFormed: number;
  matchesPlaced: number;
  matchesRated: number;
  /** Seconds from "services ready" to the first match; null when there was none. */
  firstMatchSeconds: number | null;
  ticketsAccepted: number;
  ticketsLost: number;
  /** How often a match was sent to another server. */
  placementsRetried: number;
  /** Mean difference of the teams' rating sums, in points. */
  meanSumDifference: number;
  /** The same for random teams of the same players. */
  randomSumDifference: number;
  /** Spearman's rank correlation of rating and hidden skill; null with fewer than three players rated. */
  skillCorrelation: number | null;
}

const shufflesPerMatch = 20;

/** All matches formed since a time, oldest first. */
export async function matchesSince(operator: OperatorClient, since: number): Promise<MatchView[]> {
  const found: MatchView[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await operator.matches({ order: 'newest', limit: 200, cursor });
    const recent = page.matches.filter((match) => (match.formedAt ?? 0) >= since && match.origin === 'queue');
    found.push(...recent);
    if (!page.next || recent.length < page.matches.length) return found.toReversed();
    cursor = page.next;
  }
}

export async function summarise(
  operator: OperatorClient,
  readyAt: number,
  report: PlayersReport,
): Promise<DemoSummary> {
  const matches = await matchesSince(operator, readyAt);
  const random = seededRandom(1);
  const differences = matches.map((match) => sumDifference(match.players.map((p) => [p.team, p.level ?? 0])));
  const shuffled = matches.flatMap((match) =>
    Array.from({ length: shufflesPerMatch }, () => {
      const mus = shuffle(
        match.players.map((p) => p.level ?? 0),
        random,
      );
      return sumDifference(match.players.map((p, i) => [p.team, mus[i] ?? 0]));
    }),
  );
  const { ratings } = await operator.ratings('default', { limit: 10_000 });
  const rated = ratings.filter((rating) => rating.playerId.startsWith('demo-') && rating.matches > 0);
  const first = matches[0]?.formedAt;
  return {
    matchesFormed: matches.length,
    matchesPlaced: matches.filter((match) => match.placedAt !== null).length,
    matchesRated: matches.filter((match) => match.state === 'rated').length,
    firstMatchSeconds: first === undefined || first === null ? null : round((first - readyAt) / 1000),
    ticketsAccepted: report.ticketsAccepted,
    ticketsLost: report.ticketsLost,
    placementsRetried: matches.reduce((sum, match) => sum + Math.max(0, match.placements - 1), 0),
    meanSumDifference: round(mean(differences)),
    randomSumDifference: round(mean(shuffled)),
    skillCorrelation:
      rated.length < 3
        ? null
        : round(
            spearman(
              rated.map((r) => r.mu),
              rated.map((r) => hiddenSkill(r.playerId)),
            ),
          ),
  };
}

function sumDifference(players: readonly (readonly [team: number, mu: number])[]): number {
  const sums = new Map<number, number>();
  for (const [team, mu] of players) sums.set(team, (sums.get(team) ?? 0) + mu);
  return Math.max(...sums.values()) - Math.min(...sums.values());
}

/** Fisher–Yates. */
function shuffle(values: readonly number[], random: Random): number[] {
  const all = [...values];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] ?? 0, all[i] ?? 0];
  }
  return all;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, v) => sum + v, 0) / values.length;
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Ranks from 1; equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

/** Spearman's rank correlation, −1 to 1; 0 when one side does not vary. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const [mx, my] = [mean(x), mean(y)];
  let xy = 0;
  let xx = 0;
  let yy = 0;
  x.forEach((value, i) => {
    const dx = value - mx;
    const dy = (y[i] ?? 0) - my;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  });
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy);
}
