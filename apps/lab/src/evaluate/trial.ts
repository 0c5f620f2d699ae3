import { Unsolvable, type Aggregation, type AspectRules, type Learned } from '@muster/domain';
import { Replay } from '@muster/lab-simulation';
import {
  calibrationFrom,
  newPoolRules,
  poolModelOf,
  uncalibrated,
  type ModelKind,
  type ModelParameters,
  type Need,
  type PoolModel,
} from '@muster/skill';
import type { ReliabilityBin } from '@muster/plot';
import type { HistoryPlan, TestMatch } from './history.js';
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
  /** The factor of the model's log-odds in the calibration of the end. */
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
  performance: 'every player’s kills, deaths and power points, which a match file does not contain',
  'team-scores': 'the scores while each player was there, which a match file does not contain',
  command: 'who was in command and for how long, which a match file does not contain',
};

/** How the models are tried. */
export interface TrialOptions {
  readonly aggregation: Aggregation;
  /** Parameters of the models, by name; a model takes those that it has. */
  readonly settings: ModelParameters;
  /** What players are rated by beside their common skill. */
  readonly aspects?: AspectRules | undefined;
}

/** A prediction of a scored match, by a model. */
export interface TrialPrediction {
  readonly raw: readonly number[];
  readonly chances: readonly number[];
}

/**
 * Predicts, then rates each match of a history with a model, and scores the predictions over the last 80 % of the
 * decided matches. All models are scored on the same matches, except those that a model cannot rate.
 */
export class Trial {
  private readonly pool: PoolModel;
  private readonly replay: Replay;
  private readonly refusalOf: (match: TestMatch) => string | null;
  private readonly raw = new Tally();
  private readonly calibrated = new Tally();
  private taken = 0;
  private skipped = 0;
  private skippedFor: string | null = null;
  private gaveUp: string | null = null;

  /** @throws Unsolvable when a parameter is out of range */
  constructor(
    private readonly kind: ModelKind,
    plan: Pick<HistoryPlan, 'largestTeam' | 'situations'>,
    { aggregation, settings, aspects }: TrialOptions,
  ) {
    this.pool = poolModelOf({
      model: kind.name,
      parameters: parametersFor(kind, plan.largestTeam, settings),
      aggregation,
      circumstances: plan.situations.circumstances,
      partyBonus: 'none',
      shortHanded: newPoolRules.shortHanded,
      aspects,
    });
    this.replay = new Replay(this.pool);
    this.refusalOf = refusals(kind, this.pool);
  }

  /** Predicts the next match, then rates it. @returns the prediction if the match is scored, and the model can rate it */
  take(match: TestMatch): TrialPrediction | null {
    this.taken++;
    if (this.gaveUp !== null) return null;
    const refusal = this.refusalOf(match);
    if (refusal !== null) {
      this.skipped++;
      this.skippedFor ??= refusal;
      return null;
    }
    try {
      const prediction = this.replay.take(match);
      if (!match.isScored) return null;
      this.raw.add(prediction.raw, match.ranks);
      this.calibrated.add(prediction.chances, match.ranks);
      return prediction;
    } catch (error) {
      if (!(error instanceof Unsolvable)) throw error;
      this.gaveUp = `It gave up at line ${match.line}: ${error.message}`;
      return null;
    }
  }

  result(): Tried | NotApplicable {
    const { kind, skipped, skippedFor, taken, gaveUp } = this;
    if (gaveUp !== null) return { model: kind.name, reason: gaveUp };
    if (skipped * 2 > taken) return { model: kind.name, reason: rejection(skippedFor, skipped, taken) };
    const [raw, calibrated] = [quality(this.raw), quality(this.calibrated)];
    if (!raw || !calibrated) return { model: kind.name, reason: 'It cannot rate any of the scored matches.' };
    const { scale, offsets } = calibrationFrom(this.replay.samples);
    const scored = this.calibrated.matches;
    return { model: kind.name, raw, calibrated, scored, skipped, skippedFor, scale, offsets };
  }
}

/**
 * The parameters of a model: of the settings those that it has, and the team size of the history where it has such a
 * parameter.
 */
export function parametersFor(
  { parameters }: ModelKind,
  largestTeam: number,
  settings: ModelParameters,
): ModelParameters {
  const own = Object.entries(settings).filter(([name]) => Object.hasOwn(parameters, name));
  const spec = parameters['kMax'];
  const size: ModelParameters =
    spec?.kind === 'number' ? { kMax: Math.min(spec.max, Math.max(spec.min, largestTeam)) } : {};
  return { ...size, ...Object.fromEntries(own) };
}

function quality(tally: Tally): Judgement | null {
  const figures = tally.figures();
  return figures && { ...figures, reliability: tally.reliability() };
}

/**
 * Why a model cannot rate a match, by match. The answer depends only on the sizes of the teams, so it is tried with
 * unrated players once per shape.
 */
function refusals(kind: ModelKind, pool: PoolModel): (match: TestMatch) => string | null {
  const known = new Map<string, string | null>();
  return (match) => {
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
      pool.judge({ ...rest, teams }, ranks, uncalibrated);
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
