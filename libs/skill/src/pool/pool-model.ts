import type { Calibration, RatingRules, Situation, Stretch } from '@muster/domain';
import type { Contest, PlayerFacts, Ranks, RatingModel, SkillState } from '../model.js';
import { modelOf } from '../models.js';
import { partyGain, partyOdds } from '../party/bonus.js';
import { calibrated, oddsOf, type Prediction } from '../prediction/calibration.js';
import { featuresOf, type Features, type Learnable } from '../prediction/features.js';

/** A match as a pool sees it: states by team, and what is known of it. */
export interface PooledMatch {
  readonly teams: readonly (readonly SkillState[])[];
  readonly situation?: Situation | undefined;
  /** Share of the match that each player took part in, 0 to 1, in the shape of `teams`; whole when absent. */
  readonly shares?: readonly (readonly number[])[] | undefined;
  /** When they did, in the shape of `teams`, as far as it is known: a model that weighs moments goes by it and not by `shares`. */
  readonly times?:
    | {
        /** Length of the match, in milliseconds. */
        readonly lengthMs: number;
        readonly stretches: readonly (readonly (readonly Stretch[] | undefined)[])[];
      }
    | undefined;
  /** Who came when it had begun, in the shape of `teams`; nobody when absent. */
  readonly late?: readonly (readonly boolean[])[] | undefined;
  readonly facts?: readonly (readonly PlayerFacts[])[] | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** A prediction with what it was made of, so that a calibration can be learned from it. */
export interface PoolPrediction extends Prediction {
  /** The model's own chances, in team order. */
  readonly raw: readonly number[];
  readonly features: readonly Features[];
}

/** A pool's model with all that a pool adds to it: team sizes, circumstances, parties, calibration. Pure. */
export interface PoolModel {
  readonly rules: RatingRules;
  readonly model: RatingModel;
  /** @throws Unsolvable on a match that the model cannot take */
  predict(match: PooledMatch, calibration: Calibration): PoolPrediction;
  /** How much each player took part in, as the model weighs it: 0 to 1, in the shape of the teams; undefined where all were. */
  sharesOf(match: Omit<PooledMatch, 'teams'>): Shares | undefined;
  /** The states after the match, in the shape of its teams. @throws Unsolvable on a match that the model cannot take */
  rate(match: PooledMatch, ranks: Ranks, calibration: Calibration): SkillState[][];
}

/** Models whose ratings are weights: there friends multiply. */
const weightModels = new Set(['log-weights', 'log-weights-scores', 'log-weights-kills']);

/** @throws Unsolvable when the rules name no model, or parameters that it has not */
export function poolModelOf(rules: RatingRules): PoolModel {
  const model = modelOf(rules.model, rules.parameters);
  const learned = learnablesOf(rules);
  const features = ({ teams, shares, situation }: PooledMatch): Features[] =>
    featuresOf(situation ?? {}, sizesOf(teams, shares), learned);
  return {
    rules,
    model,
    sharesOf: (match) => sharesBy(model, match),
    predict(match, calibration) {
      const raw = model.predict(contestOf(rules, match, undefined));
      const own = features(match);
      const odds = givenOdds(rules, match, own, calibration);
      return { ...calibrated(raw, odds, calibration), raw, features: own };
    },
    rate(given, ranks, calibration) {
      const match = { ...given, shares: sharesBy(model, given) };
      const odds = givenOdds(rules, match, features(match), calibration);
      return model.rate(contestOf(rules, match, inModelScale(odds, calibration)), ranks);
    },
  };
}

/** What the calibration of a pool may learn the effects of. */
function learnablesOf({ circumstances, aggregation, partyBonus }: RatingRules): Learnable[] {
  return [
    ...circumstances,
    ...(aggregation === 'learned' ? (['size'] as const) : []),
    ...(partyBonus === 'learned' ? (['party'] as const) : []),
  ];
}

/** The log-odds that each team is given by its circumstances, as learned, and by its parties. */
function givenOdds(
  rules: RatingRules,
  match: PooledMatch,
  features: readonly Features[],
  calibration: Calibration,
): number[] {
  const learned = features.map((each) => oddsOf(each, calibration));
  if (rules.partyBonus !== 'fixed') return learned;
  const bonus = fixedPartyBonus(rules, match);
  return learned.map((each, t) => each + (bonus[t] ?? 0));
}

function fixedPartyBonus({ model }: RatingRules, match: PooledMatch): number[] {
  const worth = weightModels.has(model) ? partyGain : partyOdds;
  return sizesOf(match.teams, undefined).map((size, t) => worth(match.situation?.parties?.[t] ?? [], size));
}

/** Odds for the model: its log-odds are not on the calibrated scale, there the same circumstance weighs 1/scale. */
function inModelScale(odds: readonly number[], calibration: Calibration): number[] | undefined {
  const [first = 0] = odds;
  if (odds.every((each) => each === first)) return undefined;
  const scale = Math.max(0.05, calibration.scale.mean);
  return odds.map((each) => each / scale);
}

/** The match as the model sees it. */
function contestOf(
  { aggregation }: RatingRules,
  match: PooledMatch,
  odds: readonly number[] | undefined,
): Contest {
  const { teams, shares, at, facts } = match;
  const weighed = (of: Shares | undefined): Shares | undefined =>
    aggregation === 'sum' ? of : evenedOut(teams, of);
  const opening = openingOf(match);
  return { teams, weights: weighed(shares), opening: opening && weighed(opening), odds, at, facts };
}

/** How much each took part in: by the stretches of time where they are known and the model weighs them. */
function sharesBy(
  { timeShare }: RatingModel,
  { shares, times }: Omit<PooledMatch, 'teams'>,
): Shares | undefined {
  if (!times || !timeShare) return shares;
  return times.stretches.map((team, t) =>
    team.map((stretches, p) => (stretches ? timeShare(stretches, times.lengthMs) : (shares?.[t]?.[p] ?? 1))),
  );
}

type Shares = readonly (readonly number[])[];

/** Who was there when the match began, where it is known who was not; undefined where a team would be empty. */
function openingOf({ teams, late, times }: PooledMatch): Shares | undefined {
  if (!late && !times) return undefined;
  const opening = teams.map((team, t) => team.map((_player, p) => (late?.[t]?.[p] ? 0 : 1)));
  return opening.every((team) => team.includes(1)) ? opening : undefined;
}

/** A match as it stood when it began: how long each would stay was not known then, nor who would come. */
export function beforehand(match: PooledMatch): PooledMatch {
  const shares = match.late ? openingOf(match) : undefined;
  return { ...match, shares, times: undefined, late: undefined };
}

function sizesOf(teams: readonly (readonly unknown[])[], shares: Shares | undefined): number[] {
  return teams.map((team, t) => shares?.[t]?.reduce((sum, share) => sum + share, 0) ?? team.length);
}

/** Shares scaled so that every team adds up to the mean team; undefined when that changes nothing. */
function evenedOut(teams: readonly (readonly unknown[])[], shares: Shares | undefined): Shares | undefined {
  const sizes = sizesOf(teams, shares);
  const [first = 0] = sizes;
  if (sizes.every((size) => size === first)) return shares;
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return teams.map((team, t) => {
    const size = sizes[t] ?? 0;
    const factor = size > 0 ? mean / size : 1;
    return team.map((_player, p) => (shares?.[t]?.[p] ?? 1) * factor);
  });
}
