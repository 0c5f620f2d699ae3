import { own, type MatchEvent, type PoolRules, type RatingRules } from '@muster/domain';
import type { HistoricMatch } from '@muster/lab-simulation';
import { newPoolRules } from '@muster/skill';
import { matchesOf, type HistoryPlan } from '../evaluate/history.js';
import type { Bytes } from '../match-file/bytes.js';

/** The matches of a pool, and the rules that rate them now. */
export interface TuneHistory {
  /** Oldest first. */
  readonly matches: readonly HistoricMatch[];
  readonly rules: RatingRules;
  /** All rules of the pool, which must accept others; absent for a file. */
  readonly pool?: PoolRules | undefined;
}

/** The history of a file, rated under the default rules of a pool. */
export function historyOfFile(bytes: Bytes, plan: HistoryPlan): TuneHistory {
  const { circumstances } = plan.situations;
  return {
    matches: [...matchesOf(bytes, plan)],
    rules: { ...ratingRulesOf(newPoolRules), circumstances, partyBonus: 'none' },
  };
}

/** The part of a pool's rules that rates. */
export function ratingRulesOf(rules: RatingRules): RatingRules {
  const { model, parameters, aggregation, circumstances, partyBonus, aspects, shortHanded } = rules;
  return { model, parameters, aggregation, circumstances, partyBonus, aspects, shortHanded };
}

/** A match of a ledger in the form for a replay. */
export function historicMatch({ teams, ranks, at, played = {} }: MatchEvent): HistoricMatch {
  const { situation, shares, times, late, facts } = played;
  const shaped = <T>(of: (playerId: string) => T): T[][] => teams.map((team) => team.map(of));
  const latecomers = new Set(late);
  return {
    players: teams,
    ranks,
    at,
    situation,
    shares: shares && shaped((playerId) => own(shares, playerId) ?? 1),
    times: times && {
      lengthMs: times.lengthMs,
      stretches: shaped((playerId) => own(times.stretches, playerId)),
    },
    late: late && shaped((playerId) => latecomers.has(playerId)),
    facts: facts && shaped((playerId) => own(facts, playerId) ?? {}),
  };
}
