import { CoordinatorId, Facts, Label, PlayerId, PoolName, RegionName } from '@muster/domain/schemas';
import { z } from 'zod';
import { DisplayName, leniently } from '../../display-name.js';
import { Habits, habitsAre } from '../habits.js';
import { EventId, Text } from '../operator-words.js';
import { RebuildView } from './pools.js';
import { issuesOf, Parties, refuse, strangersIn, tookPart, twiceIn } from './took-part.js';
import { PlayedMs } from '../../times.js';

export const Sides = z.array(Label).min(2).max(100);
const Share = z.number().min(0).max(1);
export const PredictMatch = z
  .strictObject({
    teams: z.array(z.array(PlayerId).min(1).max(100)).min(2).max(100),
    sides: Sides.optional(),
    map: Label.optional(),
    venue: Label.optional(),
    parties: Parties.optional(),
    roles: z.record(PlayerId, Label).optional().meta({
      description: 'The role of each player, for a pool that rates roles; players may be left out.',
    }),
  })
  .superRefine((body, context) =>
    refuse(context, [...issuesOf(body), ...strangersIn(body.teams, 'roles', body.roles)]),
  )
  .meta({ id: 'PredictMatch' });
export type PredictMatch = z.infer<typeof PredictMatch>;
export const MatchPrediction = z
  .object({
    chances: z
      .array(z.number())
      .meta({ description: 'Chance of each team, in total 1; a draw counts half for each of two.' }),
    draw: z.number(),
    version: z.number().int(),
  })
  .meta({ id: 'MatchPrediction' });
export type MatchPrediction = z.infer<typeof MatchPrediction>;
export const PenaltiesOfMatch = z.enum(['keep', 'drop']).meta({
  description: 'Whether its players stay penalised as no-shows and leavers.',
});
export const VoidMatch = z
  .strictObject({ reason: Text, penalties: PenaltiesOfMatch.default('drop') })
  .meta({ id: 'VoidMatch' });
export const EndMatch = z
  .strictObject({
    reason: Text,
    as: z.enum(['abandoned', 'void']).default('abandoned').meta({
      description: 'The state in which the match ends. Nobody is rated either way.',
    }),
    penalties: PenaltiesOfMatch.default('drop'),
  })
  .meta({ id: 'EndMatch' });
export const MatchEnded = z
  .object({
    matchId: CoordinatorId,
    ended: z.boolean().meta({ description: 'False when the match ended so before.' }),
  })
  .meta({ id: 'MatchEnded' });
export const MatchVoided = z
  .object({
    matchId: CoordinatorId,
    voided: z.boolean().meta({ description: 'False when the match was void before.' }),
    rebuild: RebuildView.nullable().meta({
      description: 'The rebuild that removes its effect on the ratings.',
    }),
  })
  .meta({ id: 'MatchVoided' });

export const PlayedAt = PlayedMs.optional().meta({
  description:
    'When the match was played, in milliseconds since the Unix epoch; at most ten minutes ahead of the coordinator’s clock. Default: now.',
});
export const ReportResult = z
  .strictObject({
    eventId: EventId.meta({ description: 'Your own id of this match; an id counts once.' }),
    pool: PoolName,
    playedAt: PlayedAt,
    teams: z.array(z.array(PlayerId).min(1).max(100)).min(2).max(100),
    ranks: z.array(z.number().int().min(1).max(1_000)).min(2).max(100),
    sides: Sides.optional().meta({ description: 'The side of each team: a faction, home or away.' }),
    map: Label.optional(),
    venue: Label.optional(),
    shares: z
      .record(PlayerId, Share)
      .optional()
      .meta({ description: 'Share of the match that each player took part in.' }),
    ...tookPart,
    facts: z
      .record(PlayerId, Facts)
      .optional()
      .meta({ description: 'Facts about each player, for models that use them.' }),
    region: RegionName.optional().meta({ description: 'Where it was played, for leaderboards by region.' }),
    names: leniently(z.record(PlayerId, DisplayName)).optional().meta({
      description:
        'Display names of players, shown beside their ids. Ratings do not use them. Invalid names are left out.',
    }),
    habits: z
      .record(PlayerId, Habits)
      .optional()
      .meta({
        description: `The habits of players. ${habitsAre}`,
      }),
  })
  .superRefine((body, context) => {
    const { teams, ranks } = body;
    refuse(context, issuesOf(body));
    if (ranks.length !== teams.length)
      refuse(context, [
        { path: ['ranks'], message: `there are ${teams.length} teams but ${ranks.length} ranks` },
      ]);
    refuse(context, twiceIn(teams, 'match'));
    for (const what of ['shares', 'facts', 'names', 'habits'] as const)
      refuse(context, strangersIn(teams, what, body[what]));
  })
  .meta({ id: 'ReportResult' });
export type ReportResult = z.infer<typeof ReportResult>;
export const ResultRated = z
  .object({
    matchId: CoordinatorId,
    counted: z.boolean().meta({ description: 'False when the same result was counted before.' }),
    prediction: z
      .array(z.number())
      .meta({ description: 'Chance of each team to win, predicted before rating.' }),
  })
  .meta({ id: 'ResultRated' });
export type ResultRated = z.infer<typeof ResultRated>;
