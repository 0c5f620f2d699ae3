import {
  own,
  MatchUnratable,
  Unsolvable,
  type Applied,
  type Forecast,
  type GivenEvent,
  type Json,
  type MatchEvent,
  type Played,
  type Rater,
  type RatingPool,
  type ResetEvent,
  type SkillBelief,
  type StoredRating,
} from '@muster/domain';
import {
  beforehand,
  divisionAfter,
  graduate,
  type PooledMatch,
  type PoolModel,
  type SkillState,
} from '@muster/skill';
import { opened, type OpenPool } from '../pools/open-pool.js';

/** Rates events by their pool's rules. Pure: the same pool, event and ratings give bit-identical results. */
export const poolRater: Rater = {
  apply(pool, event, ratings) {
    const open = opened(pool);
    return event.kind === 'match' ? applyMatch(open, pool, event, ratings) : give(open, event, ratings);
  },
};

/** The rating of a player without one. */
export const unrated: StoredRating = { state: null, matches: 0, division: null, lastRatedAt: null };

function applyMatch(
  open: OpenPool,
  pool: RatingPool,
  event: MatchEvent,
  ratings: ReadonlyMap<string, StoredRating>,
): Applied {
  const { rules, start, model } = open;
  const stored = event.teams.map((team) => team.map((id) => ratings.get(id) ?? unrated));
  const match = pooledMatch(
    event,
    stored.map((team) => team.map((rating) => stateOf(model, rating))),
  );
  let predicted: ReturnType<PoolModel['predict']>;
  let after: SkillState[][];
  try {
    predicted = model.predict(beforehand(match), pool.calibration);
    after = model.rate(match, event.ranks, pool.calibration);
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    throw new MatchUnratable(error.message, { pool: pool.name, model: rules.model });
  }
  const sure = (belief: SkillBelief): boolean => belief.sigma <= rules.convergedBelow * start.sigma;
  let drift = 0;
  let converged = 0;
  const players = event.teams.flatMap((team, t) =>
    team.map((playerId, p) => {
      const before = match.teams[t]?.[p] ?? model.model.initial();
      const previous = stored[t]?.[p] ?? unrated;
      const believed = model.model.belief(before);
      const rating = rated(open, previous, after[t]?.[p] ?? before, event.at);
      const now = stateOf(model, rating);
      const belief = model.model.belief(now);
      drift += belief.mu - believed.mu;
      converged += Number(sure(belief)) - Number(previous.matches > 0 && sure(believed));
      return {
        playerId,
        team: t,
        rating,
        before: shown(model, before),
        after: shown(model, now),
        believed,
      };
    }),
  );
  const { raw, chances, draw, features } = predicted;
  const newcomers = stored.flat().filter(({ matches }) => matches === 0).length;
  const forecast: Forecast = { raw, chances, draw, features, drift, newcomers, converged };
  return { players, forecast };
}

/** The rating after a match: the shadow may end, and the division may change. */
function rated(open: OpenPool, previous: StoredRating, state: SkillState, at: number): StoredRating {
  const { rules, model, divisions, margin } = open;
  const matches = previous.matches + 1;
  const belief = model.model.belief(state);
  const capped = matches === rules.shadowMatches ? graduate(belief, rules.shadowCap ?? Infinity) : belief;
  return {
    state: model.model.write(capped.mu === belief.mu ? state : model.model.moved(state, capped.mu)),
    matches,
    division: divisionAfter(divisions, previous.division, capped.mu, margin).name,
    // Reported matches may arrive out of order: the latest time counts.
    lastRatedAt: Math.max(at, previous.lastRatedAt ?? at),
  };
}

function give(
  open: OpenPool,
  event: GivenEvent | ResetEvent,
  ratings: ReadonlyMap<string, StoredRating>,
): Applied {
  const { model, divisions, margin } = open;
  const previous = ratings.get(event.playerId) ?? unrated;
  const before = stateOf(model, previous);
  let state = model.model.initial();
  if (event.kind !== 'reset') {
    const { mu, sigma } = inUnitsOf(open, event);
    state = sigma === null ? model.model.moved(before, mu) : model.model.seed({ mu, sigma });
  }
  const belief = model.model.belief(state);
  const rating: StoredRating =
    event.kind === 'reset'
      ? { ...unrated, state: model.model.write(state) }
      : {
          ...previous,
          state: model.model.write(state),
          division: divisionAfter(divisions, previous.division, belief.mu, margin).name,
        };
  return {
    players: [
      {
        playerId: event.playerId,
        team: null,
        rating,
        before: shown(model, before),
        after: shown(model, state),
        believed: model.model.belief(before),
      },
    ],
    forecast: null,
  };
}

/** A rating set under a model with other units keeps its distance from the start value, in start uncertainties. */
function inUnitsOf(
  { rules, start }: OpenPool,
  { model, mu, sigma, level, doubt }: GivenEvent,
): { readonly mu: number; readonly sigma: number | null } {
  if (model === rules.model) return { mu, sigma };
  return { mu: start.mu + level * start.sigma, sigma: doubt === null ? null : doubt * start.sigma };
}

/** The state of a stored rating; the start state for a player without one. */
export function stateOf({ model }: PoolModel, { state }: StoredRating): SkillState {
  return state === null ? model.initial() : model.read(state);
}

/** The form of a state in a ledger row: the belief, and the model's own summary. */
function shown({ model }: PoolModel, state: SkillState): Json {
  const { mu, sigma } = model.belief(state);
  const brief = model.brief(state);
  return typeof brief === 'object' && brief !== null && !Array.isArray(brief)
    ? { ...brief, mu, sigma }
    : { mu, sigma };
}

/** A recorded match in the form that a pool's model takes. */
function pooledMatch({ teams, at, played = {} }: MatchEvent, states: SkillState[][]): PooledMatch {
  const { situation, facts } = played;
  return {
    teams: states,
    situation,
    at,
    ...presenceIn(teams, played),
    facts: facts && teams.map((team) => team.map((playerId) => own(facts, playerId) ?? {})),
  };
}

/** The presence of each player, in the form of the teams. */
export function presenceIn(
  teams: readonly (readonly string[])[],
  { shares, times, late }: Played,
): Pick<PooledMatch, 'shares' | 'times' | 'late'> {
  const shaped = <T>(of: (playerId: string) => T): T[][] => teams.map((team) => team.map(of));
  const latecomers = new Set(late);
  return {
    shares: shares && shaped((playerId) => own(shares, playerId) ?? 1),
    times: times && {
      lengthMs: times.lengthMs,
      stretches: shaped((playerId) => own(times.stretches, playerId)),
    },
    late: late && shaped((playerId) => latecomers.has(playerId)),
  };
}
