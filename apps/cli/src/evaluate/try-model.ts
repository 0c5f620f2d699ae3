import { Unsolvable, type Aggregation, type Learned } from '@muster/domain';
import {
  fitCalibration,
  predictHistory,
  poolModelOf,
  uncalibrated,
  type ModelKind,
  type ModelParameters,
  type Need,
  type Sample,
  type PoolModel,
} from '@muster/skill';
import type { ReliabilityBin } from '@muster/plot';
import type { TestHistory, TestMatch } from './history.js';
import { Tally, type Figures } from './tally.js';

/** The quality of predictions, as figures and by tenths of the chance. */
export interface Judgement extends Figures {
  readonly reliability: readonly ReliabilityBin[];
}

/** The quality of a model's predictions over a history. */
export interface Tried {
  readonly model: string;
  /** The model's uncalibrated chances. */
  readonly raw: Judgement;
  /** Chances under the calibration learned up to each match. */
  readonly calibrated: Judgement;
  /** Scored matches. */
  readonly scored: number;
  /** Matches that the model cannot rate, and the reason for the first of them. */
  readonly skipped: number;
  readonly skippedFor: string | null;
  /** The factor of the model's log-odds that a calibration learned from the whole history. */
  readonly scale: Learned;
  /** Learned log-odds of sides and venues. */
  readonly offsets: Readonly<Record<string, Learned>>;
}

/** A model that cannot be applied to this history. */
export interface NotApplicable {
  readonly model: string;
  /** A sentence. */
  readonly reason: string;
}

const missing: Readonly<Record<Need, string>> = {
  places:
    'every player’s place on the scoreboard, which a match file contains only for a free-for-all of three or more players',
  kills: 'every player’s kills, which a match file does not contain',
  'team-scores': 'the scores while each player was there, which a match file does not contain',
  command: 'who was in command and for how long, which a match file does not contain',
};

/** The fraction of decided matches that is not scored, because most players are still unknown. */
const warmUp = 0.2;

/**
 * Predicts, then rates each match of a history with a model, and scores the predictions over the last 80 % of the
 * decided matches. All models are scored on the same matches, except those that a model cannot rate.
 *
 * @param onMatch called after each match
 */
export function tryModel(
  kind: ModelKind,
  { matches, situations }: TestHistory,
  aggregation: Aggregation,
  onMatch: () => void = () => undefined,
): Tried | NotApplicable {
  const pool = poolModelOf({
    model: kind.name,
    parameters: parametersFor(kind, matches),
    aggregation,
    circumstances: situations.circumstances,
    partyBonus: 'none',
  });
  const refusalOf = refusals(kind, pool);
  const taken = matches.filter((match) => refusalOf(match) === null);
  const skipped = matches.length - taken.length;
  const first = skipped === 0 ? null : refusalOf(matches.find((match) => refusalOf(match) !== null));
  if (skipped * 2 > matches.length)
    return { model: kind.name, reason: rejection(first, skipped, matches.length) };

  const judged = new Set(judgedOf(matches));
  const raw = new Tally();
  const calibrated = new Tally();
  const samples: Sample[] = [];
  try {
    for (const { ranks, prediction } of predictHistory(pool, taken)) {
      const match = taken[samples.length];
      samples.push({ raw: prediction.raw, features: prediction.features, ranks });
      if (match && judged.has(match)) {
        raw.add(prediction.raw, ranks);
        calibrated.add(prediction.chances, ranks);
      }
      onMatch();
    }
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    const line = taken[Math.max(0, samples.length - 1)]?.line ?? 0;
    return { model: kind.name, reason: `It gave up at line ${line}: ${error.message}` };
  }
  const [own, after] = [quality(raw), quality(calibrated)];
  if (!own || !after) return { model: kind.name, reason: 'It cannot rate any of the scored matches.' };
  const { scale, offsets } = fitCalibration(samples);
  return {
    model: kind.name,
    raw: own,
    calibrated: after,
    scored: calibrated.matches,
    skipped,
    skippedFor: first,
    scale,
    offsets,
  };
}

/** The default parameters, with the team size of the history for a model that has such a parameter. */
export function parametersFor(kind: ModelKind, matches: readonly TestMatch[]): ModelParameters {
  const spec = kind.parameters['kMax'];
  if (spec?.kind !== 'number') return {};
  const largest = matches.reduce(
    (most, { players }) => Math.max(most, ...players.map((team) => team.length)),
    1,
  );
  return { kMax: Math.min(spec.max, Math.max(spec.min, largest)) };
}

/** The scored matches: the decided ones after the first fifth. */
export function judgedOf(matches: readonly TestMatch[]): TestMatch[] {
  const decided = matches.filter(({ isDecided }) => isDecided);
  return decided.slice(Math.floor(decided.length * warmUp));
}

function quality(tally: Tally): Judgement | null {
  const figures = tally.figures();
  return figures && { ...figures, reliability: tally.reliability() };
}

/**
 * Why a model cannot rate a match, by match. The answer depends only on the sizes of the teams, so it is tried with
 * unrated players once per shape.
 */
function refusals(kind: ModelKind, pool: PoolModel): (match: TestMatch | undefined) => string | null {
  const known = new Map<string, string | null>();
  return (match) => {
    if (!match) return null;
    const lacking = kind.needs.find((need) => !match.tells.includes(need));
    if (lacking !== undefined) return `It needs ${missing[lacking]}.`;
    const { players, ranks, ...rest } = match;
    const shape = [
      players.map((team) => team.length).join(),
      match.tells.join(),
      rest.shares !== undefined,
    ].join(';');
    const before = known.get(shape);
    if (before !== undefined) return before;
    const teams = players.map((team) => team.map(() => pool.model.initial()));
    const refusal = refusalBy(() => {
      pool.predict({ ...rest, teams, shares: undefined }, uncalibrated);
      pool.rate({ ...rest, teams }, ranks, uncalibrated);
    });
    known.set(shape, refusal);
    return refusal;
  };
}

function refusalBy(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Unsolvable) return error.message;
    throw error;
  }
}

function rejection(reason: string | null, skipped: number, matches: number): string {
  return skipped === matches
    ? (reason ?? '')
    : `${reason ?? ''} It would skip ${skipped} of ${matches} matches, more than half.`;
}
