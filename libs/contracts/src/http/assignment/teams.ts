import { CertificateView, PartyName, PlayerId, RoleName, type Unchanging } from '@muster/domain/schemas';
import { z } from 'zod';

/** The sums of this many players stay finite. */
const Weight = z.number().min(-1e12).max(1e12).meta({ description: 'The weight that teams share equally.' });
const mostPlayers = 200;
const mostTeams = 32;
const Team = z.array(PlayerId).max(mostPlayers);
const DeadlineMs = z.number().int().min(1).max(5_000).default(1_000).meta({
  description: 'Time limit; after it the answer is the best split so far, with its certificate.',
});
const Operations = z.number().meta({ description: 'Steps of the solver: the same on every machine.' });
const ElapsedMs = z.number().min(0);

const Objective = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sum') }),
    z.strictObject({ kind: z.literal('mean') }),
    z.strictObject({
      kind: z.literal('win'),
      beta: z.number().positive().max(1e12),
      sigmas: z.record(PlayerId, z.number().min(0).max(1e12)),
    }),
  ])
  .meta({ description: 'The objective: equal sums (default), means, or chances to win.' });

const Bots = z
  .strictObject({
    weight: Weight,
    fillTo: z.number().int().min(0).max(400),
    maxSizeDifference: z.number().int().min(0).max(mostPlayers),
  })
  .meta({
    description:
      'Empty places are filled with bots of this weight: `fillTo` places of all teams together at the least; one team may ' +
      'have `maxSizeDifference` more players than another. Best is then the ratio nearest to 1.',
  });

export const SplitTeams = z
  .strictObject({
    players: z
      .array(
        z.strictObject({
          id: PlayerId,
          weight: Weight,
          party: PartyName.optional().meta({ description: 'Players of one party stay on one team.' }),
          canPlay: z
            .array(RoleName)
            .max(8)
            .optional()
            .meta({ description: 'The player plays one of these.' }),
        }),
      )
      .min(2)
      .max(mostPlayers),
    teamSizes: z.array(z.number().int().min(1).max(mostPlayers)).min(2).max(mostTeams),
    best: z.number().int().min(1).max(100).default(1).meta({ description: 'Number of best splits.' }),
    seed: z.number().int().default(0).meta({ description: 'The same seed draws the same split.' }),
    power: z.number().min(0).max(10_000).optional().meta({
      description:
        'Draws one of the best, with a probability that grows with ratio^power. Without it the best is chosen.',
    }),
    roles: z
      .record(
        RoleName,
        z.strictObject({
          min: z.number().int().min(0).max(mostPlayers).optional(),
          max: z.number().int().min(0).max(mostPlayers).optional(),
        }),
      )
      .refine((roles) => Object.keys(roles).length <= 8, 'at most 8 roles')
      .optional()
      .meta({ description: 'Number of players of a role per team.' }),
    avoid: z
      .array(z.tuple([PlayerId, PlayerId]))
      .max(200)
      .optional()
      .meta({ description: 'Pairs that must not be team-mates.' }),
    bots: Bots.optional(),
    current: z
      .array(Team)
      .max(mostTeams)
      .optional()
      .meta({ description: 'The current teams, as a starting point.' }),
    objective: Objective.optional(),
    second: z
      .strictObject({
        goals: z.array(z.enum(['spread', 'parties', 'roles'])).max(3),
        slack: z.number().min(0).max(1e12),
      })
      .optional()
      .meta({ description: 'Second goals, in order, among splits within `slack` of the best.' }),
    deadlineMs: DeadlineMs,
    wholeTime: z.boolean().default(false).meta({
      description:
        'With more than two teams, searches for better teams up to the deadline. Without it the search ends when four times the work up to its last improvement has brought no other.',
    }),
  })
  .meta({ id: 'SplitTeams' });
export type SplitTeams = z.output<typeof SplitTeams>;

const Sums = z.array(z.number()).meta({ description: 'Each team’s weight, bots included.' });
const Difference = z.number().meta({ description: 'Largest sum minus the smallest.' });

export const TeamSplit = z
  .object({
    solutions: z
      .array(
        z.object({
          teams: z.array(z.array(PlayerId)),
          bench: z.array(PlayerId),
          bots: z.array(z.number().int()).meta({ description: 'Bots per team.' }),
          sums: Sums,
          difference: Difference,
          ratio: z.number().meta({ description: 'Smallest sum over the largest.' }),
        }),
      )
      .meta({ description: 'The best first.' }),
    ranked: z.boolean().meta({ description: 'Whether these are proven to be the best, in order.' }),
    chosen: z.number().int().meta({ description: 'Index of the solution that was drawn.' }),
    certificate: CertificateView,
    method: z.string(),
    because: z.string().meta({ description: 'Reason for this method.' }),
    ways: z
      .number()
      .nullable()
      .meta({ description: 'Number of splits that satisfy the rules; null if not counted.' }),
    operations: Operations,
    shift: z.number().meta({ description: 'Weights were raised by this to make every sum positive.' }),
    winProbability: z.number().nullable().meta({
      description:
        'The first team’s chance in the chosen solution: two teams under the objective `win`, else null.',
    }),
    elapsedMs: ElapsedMs,
  })
  .meta({ id: 'TeamSplit' });
export type TeamSplit = Unchanging<z.infer<typeof TeamSplit>>;

export const SplitPool = z
  .strictObject({
    players: z
      .array(
        z.strictObject({
          id: PlayerId,
          weight: Weight,
          waited: z.number().optional().meta({ description: 'For `longest-waiting`: more is longer.' }),
        }),
      )
      .min(2)
      .max(mostPlayers),
    bench: z.enum(['anyone', 'top-plays', 'longest-waiting']).meta({
      description: 'Who may sit out: anyone, anyone but the heaviest, or the players who have waited least.',
    }),
    deadlineMs: DeadlineMs,
  })
  .meta({ id: 'SplitPool' });
export type SplitPool = z.output<typeof SplitPool>;

export const PoolSplits = z
  .object({
    splits: z
      .array(
        z.object({
          size: z.number().int().meta({ description: 'Players per team.' }),
          teams: z.array(z.array(PlayerId)).length(2),
          bench: z.array(PlayerId),
          sums: Sums.length(2),
          difference: Difference,
          certificate: CertificateView,
          method: z.string(),
        }),
      )
      .meta({ description: 'One for every size from 2 to half of the players.' }),
    operations: Operations,
    elapsedMs: ElapsedMs,
  })
  .meta({ id: 'PoolSplits' });
export type PoolSplits = Unchanging<z.infer<typeof PoolSplits>>;

export const RebalanceTeams = z
  .strictObject({
    players: z
      .array(z.strictObject({ id: PlayerId, weight: Weight }))
      .min(2)
      .max(mostPlayers),
    current: z.tuple([Team, Team]).meta({ description: 'Players on no team are placed first.' }),
    tolerance: z.number().min(0).max(1e15).meta({ description: 'The accepted difference of the sums.' }),
    deadlineMs: DeadlineMs,
  })
  .meta({ id: 'RebalanceTeams' });
export type RebalanceTeams = z.output<typeof RebalanceTeams>;

export const Rebalanced = z
  .object({
    placed: z.array(z.object({ id: PlayerId, team: z.number().int().min(0).max(1) })),
    front: z
      .array(
        z.object({
          swaps: z.number().int(),
          toSecond: z.array(PlayerId),
          toFirst: z.array(PlayerId),
          sums: Sums.length(2),
          difference: Difference,
        }),
      )
      .meta({
        description: 'The best for each number of swaps that improves on fewer; the first is no swap.',
      }),
    chosen: z.number().int().meta({
      description: 'Index into `front`: the fewest swaps within the tolerance, else the most even.',
    }),
    withinTolerance: z.boolean(),
    exact: z.boolean().meta({ description: 'Whether every number of swaps was examined.' }),
    exactUpTo: z.number().int(),
    quantum: z.number(),
    operations: Operations,
    elapsedMs: ElapsedMs,
  })
  .meta({ id: 'Rebalanced' });
export type Rebalanced = Unchanging<z.infer<typeof Rebalanced>>;
