import {
  CoordinatorId,
  notPlain,
  PersonId,
  plainText,
  PlayerId,
  PoolName,
  RoleName,
} from '@muster/domain/schemas';
import { z } from 'zod';
import type { RpcRequests } from '../generated/rpc.js';

/** A call: `Service.Method`. */
export type RpcCallName = keyof RpcRequests;

/** The limits of a call's request, and who may make it. */
export interface RpcCallRules<Request> {
  /** Every field with its limits. A field without any does not compile. */
  readonly request: z.ZodObject<{ readonly [Field in keyof Required<Request>]: z.ZodType }>;
  /** Whether it changes state: such calls belong to the queue. */
  readonly changes: boolean;
}

/** The most bytes of a request: the largest batches of our own clients have about half. */
export const rpcMostBytes = 2 * 1024 * 1024;
/** The most players in a question for ratings, and in all questions of a call. */
export const rpcMostPlayers = 30_000;
/** The most questions in a call: our own clients ask 250. */
const mostQuestions = 1_000;

const players = z.array(PlayerId).max(rpcMostPlayers);
const id = CoordinatorId;
const ids = z.array(CoordinatorId).max(1_000);
/** Texts of people, and reasons with their messages, which are shown and not computed with. */
const text = (most: number): z.ZodString => z.string().max(most).regex(plainText, notPlain);
const name = text(64);
const sides = z.array(name).max(100);
/** Proto3 has NaN and infinities; zod's numbers are finite. */
const amount = z.number().min(-1e12).max(1e12);
const size = z.number().int().min(0).max(1_000);
const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
/** Of each question only what bounds the call. They are judged one by one: one that is invalid leaves the others alone. */
const counted = z.object({ playerIds: z.array(z.unknown()) });
const among = <Question extends z.ZodType>(
  question: Question,
  playersOf: (question: z.infer<Question>) => number,
): z.ZodType =>
  z
    .array(question)
    .max(mostQuestions)
    .refine((all) => all.reduce((sum, each) => sum + playersOf(each), 0) <= rpcMostPlayers, {
      error: `must name ${rpcMostPlayers} players at most`,
      abort: true,
    });

const reads = <Shape extends z.ZodRawShape>(
  shape: Shape,
): { readonly request: z.ZodObject<Shape>; readonly changes: false } => ({
  request: z.object(shape),
  changes: false,
});
const changes = <Shape extends z.ZodRawShape>(
  shape: Shape,
): { readonly request: z.ZodObject<Shape>; readonly changes: true } => ({
  request: z.object(shape),
  changes: true,
});

/** All calls between services, with the limits that a request must keep before anything is done for it. */
export const rpcCalls: { readonly [Call in RpcCallName]: RpcCallRules<RpcRequests[Call]> } = {
  'AllocatorService.LeaveMatch': changes({ matchId: id, ticketId: id }),
  'AllocatorService.ListBuilds': reads({ limit: z.number().int() }),
  'AllocatorService.CountSlots': reads({}),
  'AssignmentService.SettleProposal': changes({ matchId: id }),
  'AssignmentService.GetRoster': reads({ matchId: id }),
  'AssignmentService.ListLiveTickets': reads({
    afterMatchId: z.union([z.literal(''), id]),
    limit: z.number().int(),
    formedSince: time,
  }),
  'AssignmentService.JudgeTickets': reads({
    tickets: z.array(z.object({ ticketId: id, playerId: PlayerId, enqueuedAt: time })).max(1_000),
  }),
  'RatingService.GetRatings': reads({
    pool: PoolName,
    playerIds: players,
    aspects: z.object({ teamSize: size, map: name, sides, roles: z.array(RoleName).max(100) }).nullish(),
  }),
  'RatingService.GetManyRatings': reads({ questions: among(counted, ({ playerIds }) => playerIds.length) }),
  'RatingService.GetChanges': reads({ matchIds: ids }),
  'RatingService.Predict': reads({
    pool: PoolName,
    teams: z
      .array(
        z.object({
          playerIds: z.array(PlayerId).max(1_000),
          parties: z.array(size).max(1_000),
          roles: z.array(z.union([z.literal(''), RoleName])).max(1_000),
        }),
      )
      .max(100),
    map: name,
    sides,
  }),
  'RatingService.PredictMany': reads({
    questions: among(z.object({ teams: z.array(counted) }), ({ teams }) =>
      teams.reduce((sum, { playerIds }) => sum + playerIds.length, 0),
    ),
  }),
  'RatingService.SeedRating': changes({
    pool: PoolName,
    playerId: PersonId,
    mu: amount,
    sigma: amount.min(0),
    eventId: text(128).min(1),
    reason: text(2_000),
    messages: text(20_000),
  }),
  'RatingService.FindBooster': reads({ pool: PoolName, playerId: PlayerId }),
  'RatingService.GetNames': reads({ playerIds: players }),
  'RatingService.NoteNames': changes({
    names: z.array(z.object({ playerId: z.string().max(64), name: z.string().max(256) })).max(1_000),
  }),
};

/** Of a call's rules by a name that may be no call. */
export function rpcCallNamed(call: string): RpcCallRules<object> | undefined {
  return Object.hasOwn(rpcCalls, call) ? rpcCalls[call as RpcCallName] : undefined;
}
