import type { AspectRules, Calibration, RatingRules, Situation, Stretch } from '@muster/domain';
import {
  aspectOdds,
  aspectsPlayed,
  loadings,
  type AspectMatch,
  type AspectSkills,
  type Loadings,
} from '../aspects/effect.js';
import { afterResult, checkAspects } from '../aspects/filter.js';
import type { Contest, PlayerFacts, Ranks, RatingModel, SkillState } from '../model.js';
import { modelOf } from '../models.js';
import { partyGain, partyOdds } from '../party/bonus.js';
import { aspectsFactor, calibrated, oddsOf, type Prediction } from '../prediction/calibration.js';
import {
  aspectsFeature,
  featuresOf,
  shortHandedFeature,
  sizeOdds,
  type Features,
  type Learnable,
} from '../prediction/features.js';
import { leaversOf, withLeaversCharged, withMatesSpared } from './leavers.js';

/** A match in a pool's form: states by team, and its facts. */
export interface PooledMatch {
  readonly teams: readonly (readonly SkillState[])[];
  readonly situation?: Situation | undefined;
  /** Share of the match that each player took part in, 0 to 1, in the shape of `teams`; whole when absent. */
  readonly shares?: readonly (readonly number[])[] | undefined;
  /**
   * The times of their presence, in the shape of `teams`, where known: a model that weights moments uses them instead of
   * `shares`.
   */
  readonly times?:
    | {
        /** Length of the match, in milliseconds. */
        readonly lengthMs: number;
        readonly stretches: readonly (readonly (readonly Stretch[] | undefined)[])[];
      }
    | undefined;
  /** Late joiners, in the shape of `teams`; nobody when absent. */
  readonly late?: readonly (readonly boolean[])[] | undefined;
  readonly facts?: readonly (readonly PlayerFacts[])[] | undefined;
  /** What is known of each player's skill by aspect, in the shape of `teams`; nothing when absent. */
  readonly skills?: readonly (readonly AspectSkills[])[] | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** A prediction with its inputs, from which a calibration can be learned. */
export interface PoolPrediction extends Prediction {
  /** The model's own chances, in team order. */
  readonly raw: readonly number[];
  readonly features: readonly Features[];
}

/** A pool's model with the pool's additions: team sizes, circumstances, parties, calibration. Pure. */
export interface PoolModel {
  readonly rules: RatingRules;
  readonly model: RatingModel;
  /** @throws Unsolvable on a match that the model cannot rate */
  predict(match: PooledMatch, calibration: Calibration): PoolPrediction;
  /**
   * Each player's participation, weighted by the model: 0 to 1, in the shape of the teams; undefined with full presence of
   * all.
   */
  sharesOf(match: Omit<PooledMatch, 'teams'>): Shares | undefined;
  /**
   * A match that is over: predicted as it was known beforehand, and rated as it was played.
   *
   * @throws Unsolvable on a match that the model cannot rate
   */
  judge(match: PooledMatch, ranks: Ranks, calibration: Calibration): Judgement;
}

/** A prediction, and what the result made of the players. */
export interface Judgement {
  readonly predicted: PoolPrediction;
  /** The states after the match, in the shape of its teams. */
  readonly after: SkillState[][];
  /** Each player's skill by aspect after the match; undefined where the pool rates no aspects. */
  readonly skills: AspectSkills[][] | undefined;
}

/** Models whose ratings are weights: there friends multiply. */
const weightModels = new Set([
  'log-weights',
  'log-weights-scores',
  'log-weights-kills',
  'performance-weight',
]);

/** Whether mates keep a part of their loss: models of what happened record it, whoever was there. */
function sparesMates({ model, shortHanded }: RatingRules): boolean {
  return shortHanded?.mates !== 1 && model !== 'pub-power' && !weightModels.has(model);
}

/** A match as the pool's model sees it. */
interface SeenMatch {
  readonly contest: Contest;
  readonly features: readonly Features[];
  /** The log-odds of each team, by what is learned of its features. */
  readonly odds: readonly number[];
  /** Null where the pool rates no aspects. */
  readonly byAspect: AspectMatch | null;
  readonly weights: Loadings;
}

/** @throws Unsolvable when the rules name an unknown model, or unknown parameters */
export function poolModelOf(rules: RatingRules): PoolModel {
  const model = modelOf(rules.model, rules.parameters);
  const learned = learnablesOf(rules);
  const { aspects = null, shortHanded } = rules;
  if (aspects) checkAspects(aspects);
  const seen = (match: PooledMatch, calibration: Calibration): SeenMatch => {
    const byAspect = aspects ? aspectMatchOf(match, aspects) : null;
    const weights = byAspect ? loadings(byAspect) : [];
    const own = featuresBeside(rules, match, learned);
    const features = byAspect ? withOdds(own, aspectOdds(byAspect, weights)) : own;
    const odds = givenOdds(rules, match, features, calibration);
    return { contest: contestOf(rules, match), features, odds, byAspect, weights };
  };
  const predicted = ({ contest, features, odds }: SeenMatch, calibration: Calibration): PoolPrediction => {
    const raw = model.predict(contest);
    const { chances, draw } = calibrated(raw, odds, calibration);
    return { chances, draw, raw, features };
  };
  const rated = ({ contest, odds }: SeenMatch, ranks: Ranks, calibration: Calibration): SkillState[][] =>
    model.rate({ ...contest, odds: inModelScale(odds, calibration) }, ranks);
  return {
    rules,
    model,
    sharesOf: (match) => sharesBy(model, match),
    predict: (match, calibration) => predicted(seen(match, calibration), calibration),
    judge(match, ranks, calibration) {
      const isKnown = isKnownInFull(match);
      const before = seen(isKnown ? match : beforehand(match), calibration);
      const shares = sharesBy(model, match);
      const played = isKnown ? before : seen({ ...match, shares }, calibration);
      const prediction = predicted(before, calibration);
      let after = rated(played, ranks, calibration);
      const left = shortHanded ? leaversOf(match) : undefined;
      if (shortHanded && left) {
        const sizes = sizesOf(match.teams, shares);
        if (sparesMates(rules))
          after = withMatesSpared(shortHanded.mates, model, match.teams, sizes, left, after);
        if (shortHanded.leavers === 'full')
          after = withLeaversCharged(model, left, after, rated(before, ranks, calibration));
      }
      const { byAspect, weights } = played;
      const result = { chances: prediction.chances, ranks, factor: aspectsFactor(calibration) };
      return {
        predicted:
          played !== before && isSizeRuled(rules) ? withSizes(prediction, played.features) : prediction,
        after,
        skills: byAspect && aspects ? afterResult({ ...byAspect, ...result }, aspects, weights) : undefined,
      };
    },
  };
}

/** Whether everybody played all of the match, so that it was known beforehand as it was played. */
function isKnownInFull({ shares, times, late }: PooledMatch): boolean {
  return !shares && !times && !late;
}

/** What is learned of short teams is learned from who was there, whatever was expected. */
function withSizes(predicted: PoolPrediction, played: readonly Features[]): PoolPrediction {
  const features = predicted.features.map(({ [shortHandedFeature]: _expected, ...own }, t): Features => {
    const odds = played[t]?.[shortHandedFeature];
    return odds === undefined ? own : { ...own, [shortHandedFeature]: odds };
  });
  return { ...predicted, features };
}

/** Whether the effect of size begins with the pool's rule. */
function isSizeRuled({ aggregation, shortHanded }: RatingRules): boolean {
  return aggregation === 'learned' && Boolean(shortHanded);
}

/** Features beside skill by aspect. */
function featuresBeside(
  rules: RatingRules,
  match: PooledMatch,
  learnables: readonly Learnable[],
): Features[] {
  const sizes = sizesOf(match.teams, match.shares);
  const own = featuresOf(match.situation ?? {}, sizes, learnables);
  const { shortHanded } = rules;
  if (!shortHanded || !isSizeRuled(rules)) return own;
  const odds = sizeOdds(sizes, shortHanded.odds);
  return own.map((each, t) => (odds[t] ? { ...each, [shortHandedFeature]: odds[t] } : each));
}

/** A match as far as its aspects are concerned. */
function aspectMatchOf(
  { teams, situation, facts, skills, shares }: PooledMatch,
  rules: AspectRules,
): AspectMatch {
  return {
    names: aspectsPlayed(rules, teams, situation ?? {}, facts),
    skills: skills ?? [],
    shares,
  };
}

/** The features with the log-odds of skills by aspect, where these differ from 0. */
function withOdds(features: readonly Features[], odds: readonly number[]): Features[] {
  return features.map((own, t) => (odds[t] ? { ...own, [aspectsFeature]: odds[t] } : own));
}

/** The features whose effects a pool's calibration may learn. */
function learnablesOf(rules: RatingRules): Learnable[] {
  const { circumstances, aggregation, partyBonus } = rules;
  return [
    ...circumstances,
    ...(aggregation === 'learned' && !isSizeRuled(rules) ? (['size'] as const) : []),
    ...(partyBonus === 'learned' ? (['party'] as const) : []),
  ];
}

/** The log-odds of each team from its circumstances, as learned, and from its parties. */
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

/** The match in the model's form. */
function contestOf({ aggregation, shortHanded }: RatingRules, match: PooledMatch): Contest {
  const { teams, shares, at, facts } = match;
  const weighed = (of: Shares | undefined): Shares | undefined =>
    aggregation === 'sum' ? of : evenedOut(teams, of, shortHanded ? 'smallest' : 'mean');
  const opening = openingOf(match);
  // With odds, though they come later: rating is faster on contests of one shape.
  const odds = undefined;
  return { teams, weights: weighed(shares), opening: opening && weighed(opening), odds, at, facts };
}

/** Each player's participation: by presence times where they are known and the model weights them. */
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

/** The players present at the start, where late joiners are known; undefined where a team would be empty. */
function openingOf({ teams, late, times }: PooledMatch): Shares | undefined {
  if (!late && !times) return undefined;
  const opening = teams.map((team, t) => team.map((_player, p) => (late?.[t]?.[p] ? 0 : 1)));
  return opening.every((team) => team.includes(1)) ? opening : undefined;
}

/** The match as known at its start: leavers and late joiners were unknown then. */
export function beforehand(match: PooledMatch): PooledMatch {
  const shares = match.late ? openingOf(match) : undefined;
  return { ...match, shares, times: undefined, late: undefined };
}

function sizesOf(teams: readonly (readonly unknown[])[], shares: Shares | undefined): number[] {
  return teams.map((team, t) => shares?.[t]?.reduce((sum, share) => sum + share, 0) ?? team.length);
}

/**
 * Shares scaled so that every team adds up to the mean team, or to the smallest with a player in it: then nobody counts for
 * more than they were there. Undefined when that changes nothing.
 */
function evenedOut(
  teams: readonly (readonly unknown[])[],
  shares: Shares | undefined,
  to: 'mean' | 'smallest',
): Shares | undefined {
  const sizes = sizesOf(teams, shares);
  const [first = 0] = sizes;
  if (sizes.every((size) => size === first)) return shares;
  const aim =
    to === 'mean'
      ? sizes.reduce((sum, size) => sum + size, 0) / sizes.length
      : Math.min(...sizes.filter((size) => size > 0));
  return teams.map((team, t) => {
    const size = sizes[t] ?? 0;
    const factor = size > 0 ? aim / size : 1;
    return team.map((_player, p) => (shares?.[t]?.[p] ?? 1) * factor);
  });
}
