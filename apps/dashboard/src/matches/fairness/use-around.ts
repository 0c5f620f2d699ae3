import { useMemo } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAsked, useCall } from '../../live/use-call.js';
import { useCalls } from '../../live/use-calls.js';
import { useSession } from '../../session/session.js';
import type { Conflict, Match, Penalty, Report, Rules } from '../match.js';
import { versionOfMatch } from './rules-of-match.js';

/** Rules that were in force, with their version. */
export interface RulesOfMatch {
  readonly version: number;
  readonly rules: Rules;
}

const atOnce = 50;

/** The rules by which a match was made: null, where they are not known. It does not ask for a match without rules. */
export function useRulesOf(match: Match): UseQueryResult<RulesOfMatch | null> {
  const { operator } = useSession();
  const { queue, matchId } = match;
  return useAsked(
    ['listRules', { params: { queue, matchId } }],
    async (signal) => {
      let before: number | undefined;
      for (;;) {
        const { versions } = await operator.calls.listRules(
          { params: { queue: queue ?? '' }, query: { limit: atOnce, ...(before ? { before } : {}) } },
          { signal },
        );
        const found = versionOfMatch(match, versions);
        before = versions.at(-1)?.version;
        if (found || versions.length < atOnce) return found ?? null;
      }
    },
    { enabled: queue !== null && match.proposedAt !== null },
  );
}

const requestsOf = (match: Match): readonly { params: { playerId: string } }[] =>
  match.players.map(({ playerId }) => ({ params: { playerId } }));

/** What the calls about players tell of a match. */
export interface Conduct {
  /** Penalties of its players that name the match. */
  readonly penalties: readonly Penalty[];
  /** What its players reported about one another in the match. */
  readonly reports: readonly Report[];
  readonly isPending: boolean;
  readonly error: Error | null;
}

export function useConductOf(match: Match): Conduct {
  const { matchId } = match;
  const penalised = useCalls('readPenalties', requestsOf(match));
  const reported = useCalls('readBehaviour', requestsOf(match));
  const penalties = useMemo(
    () =>
      penalised.answers.flatMap((answer) =>
        (answer?.penalties ?? [])
          .filter((penalty) => penalty.matchId === matchId)
          .map((penalty) => ({ ...penalty, playerId: answer?.playerId ?? '' })),
      ),
    [penalised.answers, matchId],
  );
  const reports = useMemo(
    () =>
      reported.answers.flatMap((answer) =>
        (answer?.reports ?? [])
          .filter((report) => report.matchId === matchId)
          .map((report) => ({ ...report, playerId: answer?.playerId ?? '' })),
      ),
    [reported.answers, matchId],
  );
  return {
    penalties,
    reports,
    isPending: penalised.isPending || reported.isPending,
    error: penalised.error ?? reported.error,
  };
}

/** Reports that contradict its result. */
export function useConflictsOf({ matchId }: Match): readonly Conflict[] {
  const { data } = useCall('listConflicts', {});
  return useMemo(
    () => (data?.conflicts ?? []).filter((conflict) => conflict.matchId === matchId),
    [data, matchId],
  );
}
