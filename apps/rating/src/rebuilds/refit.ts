import {
  message,
  type GivenEvent,
  type MatchEvent,
  type RatingPool,
  type StoredRating,
} from '@muster/domain';
import {
  hiveKind,
  outcomeBetween,
  readParameters,
  refitSteps,
  type PoolModel,
  type RefitMatch,
} from '@muster/skill';
import { givenEvent, opened } from '../core/open-pool.js';
import { stateOf, unrated } from '../core/current.js';
import { presenceIn } from '../core/rater.js';

/** The model whose ratings can be fitted to a whole history. */
export const refittable = hiveKind.name;

/** Iterations between two yields to the event loop. */
const iterationsAtOnce = 2;

/**
 * Computes the most likely skills given a whole history, as events that set each player's rating. Uncertainties are
 * unchanged: they follow from the number of matches.
 *
 * @param ratings the ratings after folding the history
 * @param at the time of the events, in milliseconds since the epoch
 */
export async function refitEvents(
  pool: RatingPool,
  history: readonly MatchEvent[],
  ratings: ReadonlyMap<string, StoredRating>,
  rebuildId: string,
  at: number,
  pause: () => Promise<void>,
): Promise<GivenEvent[]> {
  const { rules, model } = opened(pool);
  const { c } = readParameters(hiveKind.parameters, rules.parameters);
  const steps = refitSteps(
    history.flatMap((event) => refitMatch(model, event)),
    { c },
  );
  let step = steps.next();
  for (let i = 1; step.done !== true; i++) {
    if (i % iterationsAtOnce === 0) await pause();
    step = steps.next();
  }
  const { skills, priorMean } = step.value;
  const reason = [
    message('rating.fitted', { matches: history.length, mean: Math.round(priorMean * 10) / 10 }),
  ];
  return [...skills].map(([playerId, skill]) => {
    const { sigma } = model.model.belief(stateOf(model, ratings.get(playerId) ?? unrated));
    const eventId = `${rebuildId}-${playerId}`;
    return givenEvent(pool, { kind: 'seed', eventId, at, playerId, mu: skill, sigma, by: 'refit', reason });
  });
}

/** Each moment has the weight that it has when matches are rated one by one. */
function refitMatch(model: PoolModel, { teams, ranks, played = {} }: MatchEvent): RefitMatch[] {
  const [first, second, third] = teams;
  const [one = 1, other = 1] = ranks;
  if (!first || !second || third) return [];
  const [own, others] = model.sharesOf(presenceIn([first, second], played)) ?? [];
  const weights = own && others ? ([own, others] as const) : undefined;
  return [{ teams: [first, second], weights, outcome: outcomeBetween(one, other) }];
}
