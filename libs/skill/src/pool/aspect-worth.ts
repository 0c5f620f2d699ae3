import { aspectName, type AspectWorth, type Calibration, type MatchAspects } from '@muster/domain';
import { logit } from '../maths/logistic.js';
import type { PoolModel } from './pool-model.js';
import { aspectsFactor, oddsOf, uncalibrated } from '../prediction/calibration.js';
import { featuresOf, type Learnable } from '../prediction/features.js';
import { sumOf, type AspectSkills } from '../aspects/effect.js';

/** The uncertainty at which rating points are exchanged for log-odds, as a share of a newcomer's: that of known players. */
const knownShare = 0.5;

/**
 * What players count in a match beside their ratings, in rating points: on its map, on each side, in each role. A side
 * includes the player's share of the advantage that the pool has learned for it. So teams whose sums of ratings and of
 * these are equal have equal chances, as far as an exchange rate of points for log-odds holds: it is that of teams of known
 * players at the start value.
 */
export function aspectWorths(
  pool: PoolModel,
  calibration: Calibration,
  { teamSize, map, sides, roles }: MatchAspects,
  players: readonly AspectSkills[],
): AspectWorth[] {
  const points = pointsPerOdd(pool, calibration, teamSize);
  const skillPoints = (points * aspectsFactor(calibration)) / Math.sqrt(teamSize);
  const worth = (skills: AspectSkills, name: string): number => skillPoints * sumOf(skills, [name]);
  const advantages = sideOdds(pool, calibration, sides, map).map((odds) => (points * odds) / teamSize);
  return players.map((skills) => ({
    map: map === undefined ? 0 : worth(skills, aspectName('map', map)),
    sides: sides.map((side, t) => worth(skills, aspectName('side', side)) + (advantages[t] ?? 0)),
    roles: roles.map((role) => worth(skills, aspectName('role', role))),
  }));
}

/** The log-odds of each side on the map, as learned, around their mean. */
function sideOdds(
  { rules }: PoolModel,
  calibration: Calibration,
  sides: readonly string[],
  map: string | undefined,
): number[] {
  const learned = rules.circumstances.filter(
    (each): each is Learnable & ('side' | 'map') => each !== 'venue',
  );
  const sizes = sides.map(() => 1);
  const odds = featuresOf({ sides, map }, sizes, learned).map((features) => oddsOf(features, calibration));
  const mean = odds.reduce((sum, each) => sum + each, 0) / Math.max(1, odds.length);
  return odds.map((each) => each - mean);
}

/**
 * The sum of rating points that moves a team's calibrated log-odds by 1, between two teams of known players at the start
 * value. 0 where the model cannot predict such a match, or a rating does not move its chances.
 */
export function pointsPerOdd(
  { model, predict }: Pick<PoolModel, 'model' | 'predict'>,
  calibration: Calibration,
  teamSize: number,
): number {
  const start = model.belief(model.initial());
  const known = model.seed({ mu: start.mu, sigma: start.sigma * knownShare });
  const step = start.sigma * knownShare;
  const others = Array.from({ length: teamSize - 1 }, () => known);
  const better = model.moved(known, start.mu + step);
  const teams = [
    [better, ...others],
    [known, ...others],
  ];
  if (model.contestFlaw({ teams }) !== null) return 0;
  const [chance = 0.5] = predict({ teams }, uncalibrated).raw;
  const moved = model.belief(better).mu - model.belief(known).mu;
  const odds = calibration.scale.mean * logit(chance);
  return odds > 0 && moved > 0 ? moved / odds : 0;
}
