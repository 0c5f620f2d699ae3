import { CoordinatorId, PartyName, PlayerId, type Unchanging } from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews, why } from '../../messages/message-views.js';
import { Round, Wish, roundEnd } from './balance.js';

const Rating = z.number().min(-1e12).max(1e12);
const Team = z.number().int().min(0).max(31);
const playerId = PlayerId;

const change = {
  seq: z.number().int().min(1).max(2_147_483_647).meta({
    description: 'Counts the events of the session from 1; an event that was stored before is skipped.',
  }),
};

export const RosterEventBody = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...change,
      kind: z.literal('join'),
      playerId,
      team: Team.nullable(),
      rating: Rating.optional().meta({ description: 'Default: the rating in the match’s pool.' }),
      partyId: PartyName.optional(),
      bot: z.boolean().optional(),
      spectator: z.boolean().optional(),
    }),
    z.strictObject({ ...change, kind: z.literal('leave'), playerId }),
    z.strictObject({ ...change, kind: z.literal('death'), playerId }),
    z.strictObject({ ...change, kind: z.literal('spawn'), playerId }),
    z.strictObject({ ...change, kind: z.literal('team'), playerId, team: Team.nullable() }),
    z.strictObject({ ...change, kind: z.literal('score'), playerId, points: z.number().min(-1e9).max(1e9) }),
    z.strictObject({
      ...change,
      kind: z.literal('clock'),
      secondsLeft: z.number().min(0).max(1e6).nullable(),
    }),
    z.strictObject({ ...change, kind: z.literal('round') }),
    z.strictObject({ ...change, kind: z.literal('vote') }),
    z.strictObject({ ...change, kind: z.literal('waiting-ended') }),
    z.strictObject({ ...change, kind: z.literal('captured'), round: Round, team: Team }),
    z.strictObject({ ...change, kind: z.literal('round-ended'), ...roundEnd }),
    z.strictObject({
      ...change,
      kind: z.literal('side-pick'),
      forMs: z
        .number()
        .int()
        .min(1_000)
        .max(600_000)
        .optional()
        .meta({ description: 'Time in which sides may be named; default: the policy’s.' }),
      winners: z.array(PlayerId).max(200).optional().meta({
        description: 'Winners of the previous match: they are divided evenly.',
      }),
    }),
    z.strictObject({ ...change, kind: z.literal('wish'), playerId, side: Wish }),
  ])
  .meta({
    id: 'RosterEvent',
    description:
      'A player joined, left, died, respawned, changed team or scored; the time left; a vote for even teams; a round that begins ' +
      '(`round`: all players are alive), a capture, the end of a round; a side pick that opens, and a player’s wish.',
  });
export type RosterEventBody = z.infer<typeof RosterEventBody>;

export const TellRoster = z
  .strictObject({
    sessions: z
      .array(
        z.strictObject({
          sessionId: CoordinatorId,
          events: z.array(RosterEventBody).max(500),
        }),
      )
      .min(1)
      .max(200)
      .refine((sessions) => new Set(sessions.map(({ sessionId }) => sessionId)).size === sessions.length, {
        message: 'a session is in here twice; put its events together',
      }),
  })
  .meta({ id: 'TellRoster' });
export type TellRoster = z.infer<typeof TellRoster>;

export const RosterReceipt = z
  .object({
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        outcome: z.enum(['taken', 'gap', 'unknown', 'over', 'left-alone']).meta({
          description:
            '`taken`: all of them. `gap`: none, events before them are missing: send those from `taken` + 1 on. `unknown`: the session is not ' +
            'yours. `over`: it has ended. `left-alone`: the rules of its queue ask for no live balance.',
        }),
        taken: z.number().int().meta({ description: 'The last stored `seq`.' }),
        leftOut: z
          .array(z.object({ seq: z.number().int(), ...why }))
          .meta({ description: 'Invalid events, which are stored and change nothing.' }),
        why: z.string().nullable().meta({ description: 'The state of the teams, as a text for players.' }),
        whyMessages: MessageViews,
      }),
    ),
  })
  .meta({ id: 'RosterReceipt' });
export type RosterReceipt = Unchanging<z.infer<typeof RosterReceipt>>;

/** Moves that a server has to make in a running session. */
export const BalanceOrder = z
  .object({
    number: z.number().int().meta({ description: 'Counts the orders of the session from 1.' }),
    kind: z.enum(['balance', 'scramble', 'sides']).meta({
      description:
        '`balance`: the match has become unfair. `scramble`: a round triggered new teams. `sides`: a side pick has closed.',
    }),
    moves: z.array(
      z.object({
        playerId,
        from: Team.nullable(),
        to: Team,
        why: z.string().meta({ description: 'For the moved player.' }),
        whyMessages: MessageViews,
      }),
    ),
    withinMs: z
      .number()
      .int()
      .meta({ description: 'Time limit; after it the order counts as not carried out.' }),
    exact: z.boolean().meta({
      description: 'False: good moves that are not proven the best, because the search was limited.',
    }),
    why: z.string().meta({ description: 'Text for all players on the server.' }),
    whyMessages: MessageViews,
  })
  .meta({ id: 'BalanceOrder' });
export type BalanceOrder = z.infer<typeof BalanceOrder>;
/** An order as it is stored; a server numbers its own. */
export type SentOrder = Unchanging<Omit<BalanceOrder, 'number'>>;
