import { scrambleModes } from '@muster/domain';
import { Label, PartyName, PlayerId, PolicyChoice, PoolName, type Unchanging } from '@muster/domain/schemas';
import { z } from 'zod';
import { why } from '../../messages/message-views.js';
import { EpochMs } from '../../times.js';

const mostPlayers = 200;
const mostTeams = 32;
const Rating = z.number().min(-1e12).max(1e12);
const Team = z
  .number()
  .int()
  .min(0)
  .max(mostTeams - 1);

const RosterPlayer = z.strictObject({
  playerId: PlayerId,
  team: Team.nullable().meta({ description: 'From 0; null for players on no team.' }),
  rating: Rating.optional().meta({
    description: 'Default: the pool’s rating; for a bot the mean of bots, otherwise 0.',
  }),
  points: z.number().min(-1e9).max(1e9).optional(),
  partyId: PartyName.optional(),
  alive: z.boolean().optional(),
  moved: z.boolean().optional().meta({ description: 'Moved for balance in this match before.' }),
  bot: z.boolean().optional(),
  spectator: z.boolean().optional(),
});

/** The players on a running server. */
export const Roster = z
  .strictObject({
    pool: PoolName.optional().meta({ description: 'The pool of omitted ratings.' }),
    teams: z.number().int().min(1).max(mostTeams),
    players: z
      .array(RosterPlayer)
      .max(mostPlayers)
      .refine((players) => new Set(players.map(({ playerId }) => playerId)).size === players.length, {
        message: 'somebody is on the roster twice; name every player once',
      })
      .meta({
        description: 'In order of arrival: the last player is not swapped for balance.',
      }),
    sides: z.array(Label).min(2).max(mostTeams).optional().meta({
      description:
        'The side that each team plays, in team order. Players whose ratings come from the pool count on it what the pool knows of them there, if it rates skill by side; with more than two teams, their mean of all sides. Default: sides do not count.',
    }),
    map: z
      .strictObject({
        name: Label.optional().meta({
          description:
            'Players whose ratings come from the pool count what the pool knows of them on this map, if it rates skill by map.',
        }),
        idealPlayers: z
          .strictObject({
            min: z.number().int().min(0).max(mostPlayers),
            max: z.number().int().min(0).max(mostPlayers),
          })
          .optional(),
      })
      .optional(),
    mode: Label.optional(),
    secondsLeft: z.number().min(0).max(1e6).nullable().optional(),
    meanBot: Rating.optional().meta({ description: 'Mean rating of all bots.' }),
    ranked: z.boolean().optional().meta({ description: 'A ranked match that the coordinator formed.' }),
    teamNames: z.array(Label).max(mostTeams).optional(),
  })
  .superRefine(({ pool, teams, players, sides }, context) => {
    if (sides && sides.length !== teams)
      context.addIssue({
        code: 'custom',
        path: ['sides'],
        message: `there are ${teams} teams but ${sides.length} sides`,
      });
    for (const [i, { rating, bot }] of players.entries())
      if (pool === undefined && rating === undefined && !bot)
        context.addIssue({
          code: 'custom',
          path: ['players', i, 'rating'],
          message: 'is missing; give it, or name the pool that it is read from',
        });
  })
  .meta({ id: 'Roster' });
export type Roster = z.infer<typeof Roster>;

const rosterAndPolicy = { roster: Roster, policy: PolicyChoice.default('none') };

const Move = z.object({ playerId: PlayerId, from: Team.nullable(), to: Team });
const BalanceState = z
  .strictObject({
    since: z.strictObject({ at: EpochMs, from: Team, to: Team }).nullable(),
    moved: z.array(PlayerId).max(10_000),
    ordered: z
      .strictObject({
        at: EpochMs,
        moves: z
          .array(z.strictObject({ playerId: PlayerId, from: Team.nullable(), to: Team }))
          .max(mostPlayers),
      })
      .nullable(),
    voted: z.boolean(),
  })
  .meta({
    id: 'BalanceState',
    description:
      'The state between two checks: return that of the last answer; omit it at the start of the match.',
  });

export const CheckBalance = z
  .strictObject({
    ...rosterAndPolicy,
    state: BalanceState.optional(),
    vote: z.boolean().default(false).meta({ description: 'The players have just voted for even teams.' }),
  })
  .meta({ id: 'CheckBalance' });
export type CheckBalance = z.infer<typeof CheckBalance>;

export const BalanceChecked = z
  .object({
    outcome: z.enum(['exempt', 'balanced', 'delayed', 'waiting', 'ordered', 'nobody-fits', 'moves']).meta({
      description:
        '`delayed`: unbalanced, not for long enough. `waiting`: a player has to die first. `ordered`: moves are under way. ' +
        '`nobody-fits`: the guards exclude every player. `moves`: there is a directive.',
    }),
    finding: z.object({
      verdict: z.enum(['exempt', 'balanced', 'unbalanced']),
      imbalance: z
        .object({
          by: z.enum(['size', 'power', 'weight', 'difference']),
          from: Team,
          to: Team,
          sizes: z.array(z.number()),
          strengths: z.array(z.number()),
          ...why,
        })
        .nullable(),
      ...why,
    }),
    directive: z
      .object({
        moves: z.array(Move.extend({ ...why })),
        withinMs: z.number(),
        exact: z.boolean(),
        ...why,
      })
      .nullable(),
    dueAt: EpochMs.nullable().meta({ description: 'Latest time of the next check.' }),
    forOneOf: z.array(PlayerId).meta({ description: 'When `waiting`: one of these has to die.' }),
    state: BalanceState,
    ...why,
  })
  .meta({ id: 'BalanceChecked' });
export type BalanceChecked = Unchanging<z.infer<typeof BalanceChecked>>;

export const PlacePlayer = z
  .strictObject({
    ...rosterAndPolicy,
    arrives: z
      .strictObject({ playerId: PlayerId, rating: Rating.optional(), partyId: PartyName.optional() })
      .optional()
      .meta({ description: 'The joining player.' }),
    leaves: PlayerId.optional().meta({ description: 'The leaving player, who is still on the roster.' }),
  })
  .refine(({ arrives, leaves }) => (arrives === undefined) !== (leaves === undefined), {
    message: 'say who arrives or who leaves, one of both',
    path: ['arrives'],
  })
  .refine(({ roster, arrives }) => arrives?.rating !== undefined || roster.pool !== undefined || !arrives, {
    message: 'is missing; give it, or name the roster’s pool that it is read from',
    path: ['arrives', 'rating'],
  })
  .meta({ id: 'PlacePlayer' });
export type PlacePlayer = z.infer<typeof PlacePlayer>;

const Outlook = z.object({
  sizes: z.array(z.number()),
  sums: z.array(z.number()),
  botChange: z.array(z.number()),
  difference: z.number(),
  ratio: z.number().nullable(),
});
const Advantage = z
  .object({
    factors: z
      .array(z.number().nullable())
      .meta({ description: 'Changes that make each team as strong as the strongest.' }),
    strongest: Team,
    weakest: Team,
    factor: z.number().nullable(),
    advice: z.array(
      z.object({
        kind: z.enum(['damage', 'shield', 'respawn']),
        team: Team,
        value: z.number().meta({ description: 'A factor, or seconds (respawn).' }),
        covers: z.number(),
        atLimit: z.boolean(),
        ...why,
      }),
    ),
    left: z.number().meta({ description: 'The remaining factor.' }),
    shift: z.number(),
    ...why,
  })
  .meta({ id: 'Advantage' });
export type AdvantageView = Unchanging<z.infer<typeof Advantage>>;

export const PlayerPlaced = z
  .object({
    team: Team.nullable().meta({
      description: 'The team to join; for a leaving player, the team that is left.',
    }),
    options: z
      .array(
        Outlook.extend({
          team: Team,
          allowed: z.boolean().meta({ description: 'False if the team is too large.' }),
          strengths: z.array(z.number()).meta({ description: 'The teams’ weights by the policy.' }),
          overfull: z
            .boolean()
            .meta({ description: 'A rule of the policy would move a player out of the team again.' }),
          chances: z.array(z.number()).optional().meta({
            description:
              'Each team’s chance to win, by a pool that knows what fewer players mean (`shortHanded`); these decide.',
          }),
        }),
      )
      .optional()
      .meta({ description: 'Every team, for an arriving player.' }),
    before: Outlook.optional(),
    after: Outlook.optional(),
    advantage: Advantage.optional().meta({ description: 'The advantage after the player leaves.' }),
    ...why,
  })
  .meta({ id: 'PlayerPlaced' });
export type PlayerPlaced = Unchanging<z.infer<typeof PlayerPlaced>>;

export const PlanBots = z
  .strictObject({
    ...rosterAndPolicy,
    start: z
      .strictObject({ seed: z.number().int().default(0) })
      .optional()
      .meta({ description: 'Also choose the teams for the start of a game.' }),
  })
  .meta({ id: 'PlanBots' });
export type PlanBots = z.infer<typeof PlanBots>;

export const BotsPlanned = z
  .object({
    players: z.number().int().meta({ description: 'Players and bots together.' }),
    bots: z.number().int(),
    byTeam: z.array(z.number().int()).nullable(),
    change: z.array(z.number().int()).meta({ description: 'Bots to add to or remove from each team.' }),
    ...why,
    start: z
      .object({
        teams: z.array(z.array(PlayerId)),
        bots: z.array(z.number().int()),
        sums: z.array(z.number()),
        ratio: z.number(),
        ...why,
      })
      .optional(),
  })
  .meta({ id: 'BotsPlanned' });
export type BotsPlanned = Unchanging<z.infer<typeof BotsPlanned>>;

export const AskHandicap = z.strictObject(rosterAndPolicy).meta({ id: 'AskHandicap' });
export type AskHandicap = z.infer<typeof AskHandicap>;
export const Handicap = Advantage;

/** A side, or the one that makes the teams even. */
export const Wish = z.union([z.literal(0), z.literal(1), z.literal('random')], {
  error: 'must be 0, 1 or "random"',
});

export const Round = z.number().int().min(1).max(1_000_000);
export const roundEnd = {
  round: Round,
  winner: Team.nullable().meta({ description: 'null: no winner.' }),
  attackers: Team.optional().meta({ description: 'Attack and defend, payload: the attacking team.' }),
  full: z.boolean().optional().meta({ description: 'False for one stage of a longer round.' }),
};
const RoundEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('waiting-ended') }),
  z.strictObject({ kind: z.literal('captured'), round: Round, team: Team }),
  z.strictObject({ kind: z.literal('round-ended'), ...roundEnd }),
  z.strictObject({ kind: z.literal('scrambled') }),
]);
const trigger = {
  cause: z.enum(['waiting-ended', 'second-round', 'streak', 'no-capture', 'full-rounds']),
  afterRound: z.number().int(),
  into: z.enum(['duel', 'teams']),
  why: why.why,
};
const Trigger = z.object({ ...trigger, ...why });
const ScrambleState = z
  .strictObject({
    rounds: z.number().int().min(0),
    waitingEnded: z.boolean(),
    streak: z.strictObject({ team: Team, wins: z.number().int().min(1) }).nullable(),
    fullRounds: z.number().int().min(0),
    captured: z.array(Team).max(mostTeams),
    // Sent back to any replica: one of the previous release accepts no additional field.
    pending: z.strictObject(trigger).nullable(),
  })
  .meta({
    id: 'ScrambleState',
    description:
      'The state of the rounds: return that of the last answer; omit it at the start of the match.',
  });
export const AskScramble = z
  .strictObject({
    roster: Roster,
    policy: PolicyChoice.default('synelo'),
    mode: z.enum(scrambleModes),
    event: RoundEvent.optional().meta({
      description: 'Events since the last call; empty: return only the splits.',
    }),
    state: ScrambleState.optional(),
    waiting: z
      .array(z.strictObject({ playerId: PlayerId, waited: z.number().min(0).optional() }))
      .max(mostPlayers)
      .default([])
      .meta({ description: 'Players on the bench who want to play; other players on no team are ignored.' }),
  })
  .meta({ id: 'AskScramble' });
export type AskScramble = z.infer<typeof AskScramble>;

export const ScrambleAnswer = z
  .object({
    trigger: Trigger.nullable().meta({ description: 'The cause of a scramble now.' }),
    state: ScrambleState,
    cache: z
      .object({
        madeAt: EpochMs,
        splits: z.array(
          z.object({
            size: z.number().int(),
            teams: z.array(z.array(PlayerId)).length(2),
            bench: z.array(PlayerId),
            difference: z.number(),
          }),
        ),
      })
      .meta({
        description: 'The best teams of every size, to keep for a later scramble.',
      }),
    ...why,
  })
  .meta({ id: 'ScrambleAnswer' });
export type ScrambleAnswer = Unchanging<z.infer<typeof ScrambleAnswer>>;

export const AskSides = z
  .strictObject({
    ...rosterAndPolicy,
    wishes: z
      .record(PlayerId, Wish)
      .default({})
      .meta({ description: 'Wishes by player; other players accept any side.' }),
    winners: z.array(PlayerId).max(mostPlayers).default([]).meta({
      description:
        'Winners of the previous match: they are divided evenly, which takes precedence over wishes.',
    }),
    seed: z
      .number()
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(0)
      .meta({ description: 'Seed for ties between players.' }),
  })
  .meta({ id: 'AskSides' });
export type AskSides = z.infer<typeof AskSides>;

export const SidesChosen = z
  .object({
    teams: z.array(z.array(PlayerId)).length(2),
    moves: z.array(Move).meta({ description: 'Moves from the roster to these teams.' }),
    difference: z.number().meta({ description: 'Difference of the sums, in ratings.' }),
    withinTolerance: z.boolean(),
    denied: z.array(PlayerId).meta({ description: 'Players who named a side and got the other.' }),
    winners: z
      .array(z.number().int())
      .length(2)
      .meta({ description: 'Number of last winners on each side.' }),
    ...why,
  })
  .meta({ id: 'SidesChosen' });
export type SidesChosen = Unchanging<z.infer<typeof SidesChosen>>;
