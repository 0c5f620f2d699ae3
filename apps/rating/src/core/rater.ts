import {
  own,
  MatchUnratable,
  Unsolvable,
  type Applied,
  type GivenEvent,
  type Json,
  type MatchEvent,
  type Played,
  type PlayerEvent,
  type RatingPool,
  type ResetEvent,
  type SignalEvent,
  type StoredRating,
} from '@muster/domain';
import {
  boostedState,
  divisionAfter,
  lessCertain,
  type PooledMatch,
  type AspectSkills,
  type Judgement,
  type PoolModel,
  type SkillState,
} from '@muster/skill';
import { opened, type OpenPool } from './open-pool.js';
import { finalStanding } from './season.js';
import { afterTime, currentOf, stateOf, unrated, type CurrentRating } from './current.js';

/**
 * The effect of an event on the ratings of its players, by the rules of their pool. Pure: the same pool, event and ratings give
 * bit-identical results. It runs inside the transaction that rates, and in rebuilds.
 *
 * @throws MatchUnratable when the pool's model cannot rate the match
 */
export function rateEvent(
  pool: RatingPool,
  event: PlayerEvent,
  ratings: ReadonlyMap<string, StoredRating>,
): Applied {
  const open = opened(pool);
  if (event.kind === 'match') return applyMatch(open, pool, event, ratings);
  if (event.kind === 'signal') return unsettle(open, pool, event, ratings);
  return give(open, pool, event, ratings);
}

function applyMatch(
  open: OpenPool,
  pool: RatingPool,
  event: MatchEvent,
  ratings: ReadonlyMap<string, StoredRating>,
): Applied {
  const { rules, model } = open;
  if (event.teams.length < 2)
    throw new MatchUnratable('Fewer than two teams had a player who came, so there is nothing to rate.', {
      pool: pool.name,
    });
  const stored = event.teams.map((team) => team.map((id) => ratings.get(id) ?? unrated));
  const current = stored.map((team) => team.map((rating) => currentOf(open, pool.seasons, rating)));
  const match = {
    ...pooledMatch(
      event,
      current.map((team) => team.map(({ state, since }) => afterTime(open, state, since, event.at))),
    ),
    skills: rules.aspects ? current.map((team) => team.map(({ aspects }) => aspects ?? [])) : undefined,
  };
  const { predicted, after, skills } = judged(open, pool, event, match);
  const totals = { drift: 0, newcomers: 0, converged: 0 };
  const players: Applied['players'][number][] = [];
  for (let t = 0; t < event.teams.length; t++) {
    const team = event.teams[t] ?? [];
    for (let p = 0; p < team.length; p++) {
      const before = match.teams[t]?.[p] ?? model.model.initial();
      const previous = stored[t]?.[p] ?? unrated;
      const seat = {
        playerId: team[p] ?? '',
        team: t,
        previous,
        season: current[t]?.[p] ?? currentOf(open, pool.seasons, previous),
        before,
        state: after[t]?.[p] ?? before,
        aspects: skills?.[t]?.[p],
      };
      players.push(rated(open, pool, event, seat, totals));
    }
  }
  const { raw, chances, draw, features } = predicted;
  return { players, forecast: { raw, chances, draw, features, ...totals } };
}

/** A player of a match, before and after. */
interface Seat {
  readonly playerId: string;
  readonly team: number;
  readonly previous: StoredRating;
  readonly season: CurrentRating;
  readonly before: SkillState;
  /** After the match. */
  readonly state: SkillState;
  /** After the match; undefined where the pool rates none. */
  readonly aspects: AspectSkills | undefined;
}

/** What a match did to a player, which is added to the match's totals. */
function rated(
  open: OpenPool,
  pool: RatingPool,
  event: MatchEvent,
  seat: Seat,
  totals: { drift: number; newcomers: number; converged: number },
): Applied['players'][number] {
  const { model, rules, start } = open;
  const { playerId, team, previous, season, before } = seat;
  const believed = model.model.belief(before);
  const rating = ratingAfter(open, pool, event, seat);
  const ended = finalStanding(open, pool.seasons, playerId, previous);
  const now = stateOf(model, rating);
  const belief = model.model.belief(now);
  const sureBelow = rules.convergedBelow * start.sigma;
  totals.drift += belief.mu - believed.mu;
  totals.newcomers += Number(previous.matches === 0);
  // Compared with what was last counted, not with what time made of it since.
  const counted = previous.matches > 0 && model.model.belief(season.stored).sigma <= sureBelow;
  totals.converged += Number(belief.sigma <= sureBelow) - Number(counted);
  const player = { playerId, team, rating, before: shown(model, before), after: shown(model, now), believed };
  return ended ? { ...player, ended } : player;
}

/** The prediction of a match, and the states of its players after it. @throws MatchUnratable */
function judged(
  { rules, model }: OpenPool,
  pool: RatingPool,
  event: MatchEvent,
  match: PooledMatch,
): Judgement {
  try {
    const judgement = model.judge(match, event.ranks, pool.calibration);
    return event.boosted
      ? { ...judgement, after: withBoosts(model, event, match, judgement.after) }
      : judgement;
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    throw new MatchUnratable(error.message, { pool: pool.name, model: rules.model });
  }
}

/** The states after a match, with the larger steps of the players whose boosters count in it. */
function withBoosts(
  { model }: PoolModel,
  { teams, boosted }: MatchEvent,
  match: PooledMatch,
  after: readonly (readonly SkillState[])[],
): SkillState[][] {
  return after.map((team, t) =>
    team.map((state, p) => {
      const { kFactor = 1 } = own(boosted, teams[t]?.[p] ?? '') ?? {};
      return boostedState(model, match.teams[t]?.[p] ?? state, state, kFactor);
    }),
  );
}

/** The rating after a match: the shadow may end, and the division may change. */
function ratingAfter(
  { rules, model, divisions, margin }: OpenPool,
  { seasons }: RatingPool,
  { at, played }: MatchEvent,
  { previous, season, state, aspects }: Seat,
): StoredRating {
  const matches = previous.matches + 1;
  const { mu } = model.model.belief(state);
  // The mean that becomes visible when the shadow ends.
  const shownMu = matches === rules.shadowMatches ? Math.min(mu, rules.shadowCap ?? Infinity) : mu;
  const hasSeasons = seasons !== undefined && seasons.length > 0;
  // In one piece, so that nearly all ratings have one form: reading objects of many forms takes several times as long.
  const rating = {
    state: model.model.write(shownMu === mu ? state : model.model.moved(state, shownMu)),
    matches,
    division: divisionAfter(divisions, season.division, shownMu, margin).name,
    // Reported matches may arrive out of order: the latest time counts.
    lastRatedAt: Math.max(at, previous.lastRatedAt ?? at),
    season: hasSeasons ? seasons.length : undefined,
    seasonMatches: hasSeasons ? season.seasonMatches + 1 : undefined,
    region: played?.region ?? previous.region,
    aspects: aspects && aspects.length > 0 ? aspects : undefined,
  };
  return previous.setAt ? { ...rating, setAt: previous.setAt } : rating;
}

/** The part of a rating that holds skill by aspect. */
function byAspect(aspects: AspectSkills | undefined): Pick<StoredRating, 'aspects'> {
  return aspects && aspects.length > 0 ? { aspects } : {};
}

/** The part of a rating that counts matches in a season; nothing before the first. */
function inSeason(
  seasons: RatingPool['seasons'],
  seasonMatches: number,
): Pick<StoredRating, 'season' | 'seasonMatches'> {
  return seasons && seasons.length > 0 ? { season: seasons.length, seasonMatches } : {};
}

function give(
  open: OpenPool,
  { seasons }: RatingPool,
  event: GivenEvent | ResetEvent,
  ratings: ReadonlyMap<string, StoredRating>,
): Applied {
  const { model, divisions, margin } = open;
  const was = ratings.get(event.playerId) ?? unrated;
  const { aspects: _, ...previous } = was;
  const current = currentOf(open, seasons, was);
  const before = afterTime(open, current.state, current.since, event.at);
  let state = model.model.initial();
  if (event.kind !== 'reset') {
    const { mu, sigma } = inUnitsOf(open, event);
    state = sigma === null ? model.model.moved(before, mu) : model.model.seed({ mu, sigma });
  }
  const belief = model.model.belief(state);
  const rating: StoredRating =
    event.kind === 'reset'
      ? { ...unrated, state: model.model.write(state), ...inSeason(seasons, 0) }
      : {
          ...previous,
          state: model.model.write(state),
          division: divisionAfter(divisions, current.division, belief.mu, margin).name,
          // A fit to the history knows nothing newer than the last match.
          ...(event.by === 'refit' ? {} : { setAt: Math.max(event.at, previous.setAt ?? event.at) }),
          ...inSeason(seasons, current.seasonMatches),
          ...byAspect(current.aspects),
        };
  return changed(open, seasons, event.playerId, was, { before, state, rating });
}

/** What an event without a match did to its player. */
function changed(
  open: OpenPool,
  seasons: RatingPool['seasons'],
  playerId: string,
  previous: StoredRating,
  { before, state, rating }: { before: SkillState; state: SkillState; rating: StoredRating },
): Applied {
  const { model } = open;
  const ended = finalStanding(open, seasons, playerId, previous);
  const player = {
    playerId,
    team: null,
    rating,
    before: shown(model, before),
    after: shown(model, state),
    believed: model.model.belief(before),
  };
  return { players: [ended ? { ...player, ended } : player], forecast: null };
}

/**
 * Raises the uncertainty of a rating as a signal says. The mean stays as it was stored, and time without a match counts from
 * the last match as before.
 */
function unsettle(
  open: OpenPool,
  { seasons }: RatingPool,
  event: SignalEvent,
  ratings: ReadonlyMap<string, StoredRating>,
): Applied {
  const { model, start } = open;
  const previous = ratings.get(event.playerId) ?? unrated;
  const { state: before, division, seasonMatches } = currentOf(open, seasons, previous);
  const state = lessCertain(model.model, before, start, event.uncertainty);
  const rating = {
    ...previous,
    state: model.model.write(state),
    division,
    ...inSeason(seasons, seasonMatches),
  };
  return changed(open, seasons, event.playerId, previous, { before, state, rating });
}

/** A rating set under a model with other units keeps its distance from the start value, in start uncertainties. */
function inUnitsOf(
  { rules, start }: OpenPool,
  { model, mu, sigma, level, doubt }: GivenEvent,
): { readonly mu: number; readonly sigma: number | null } {
  if (model === rules.model) return { mu, sigma };
  return { mu: start.mu + level * start.sigma, sigma: doubt === null ? null : doubt * start.sigma };
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
