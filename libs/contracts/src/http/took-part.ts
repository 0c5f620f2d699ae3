import { z } from 'zod';
import { PlayerId } from '../ids.js';

const monthMs = 2_678_400_000;

const Moment = z.number().int().min(0).max(monthMs);
const Stretch = z.strictObject({ fromMs: Moment, toMs: Moment });

export const Parties = z
  .array(z.array(z.number().int().min(2).max(100)).max(50))
  .max(100)
  .meta({
    description: 'Sizes of the parties in each team, in the order of the teams; solos are left out.',
  });

/** Who of a match’s players came together, who came late, and when each was there: what whoever reports it may say. */
export const tookPart = {
  parties: Parties.optional(),
  late: z.array(PlayerId).max(200).optional().meta({
    description:
      'Players who joined after the start. The outcome counts for them; the expectation does not include them.',
  }),
  lengthMs: z.number().int().min(1).max(monthMs).optional().meta({
    description: 'Duration in milliseconds; required with `times`.',
  }),
  times: z.record(PlayerId, z.array(Stretch).min(1).max(100)).optional().meta({
    description:
      'When players were there, in milliseconds since it began, in order; who is not named was there for all of it. Instead of a share.',
  }),
};

/** A report, as far as this looks at it. */
interface Reported {
  readonly teams: readonly (readonly string[])[];
  readonly sides?: readonly string[] | undefined;
  readonly parties?: readonly (readonly number[])[] | undefined;
  readonly late?: readonly string[] | undefined;
  readonly lengthMs?: number | undefined;
  readonly times?:
    Readonly<Record<string, readonly { readonly fromMs: number; readonly toMs: number }[]>> | undefined;
  readonly shares?: Readonly<Record<string, number>> | undefined;
}

/** What is wrong, and where. */
export interface Misfit {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What does not fit the teams of a match: sides, parties, late joiners and times of others than those who are in it. */
export function misfitsOf(report: Reported): Misfit[] {
  return [...sidesAmiss(report), ...partiesAmiss(report), ...lateAmiss(report), ...timesAmiss(report)];
}

function sidesAmiss({ teams, sides }: Reported): Misfit[] {
  if (!sides || sides.length === teams.length) return [];
  return [{ path: ['sides'], message: `there are ${teams.length} teams but ${sides.length} sides` }];
}

function partiesAmiss({ teams, parties }: Reported): Misfit[] {
  if (!parties) return [];
  if (parties.length !== teams.length)
    return [
      {
        path: ['parties'],
        message: `there are ${teams.length} teams but parties of ${parties.length}; give a list for each team, [] where all came alone`,
      },
    ];
  return parties.flatMap((sizes, t) => {
    const players = teams[t]?.length ?? 0;
    const together = sizes.reduce((sum, size) => sum + size, 0);
    if (together <= players) return [];
    return [
      {
        path: ['parties', t],
        message: `the parties have ${together} members, but team ${t + 1} has ${players === 1 ? 'one player' : `${players} players`}`,
      },
    ];
  });
}

function lateAmiss({ teams, late = [] }: Reported): Misfit[] {
  const players = new Set(teams.flat());
  const latecomers = new Set(late);
  const strangers = late.flatMap((playerId, i): Misfit[] =>
    players.has(playerId) ? [] : [{ path: ['late', i], message: `${playerId} is not in the match` }],
  );
  const empty = teams.flatMap((team, t): Misfit[] =>
    team.every((playerId) => latecomers.has(playerId))
      ? [
          {
            path: ['late'],
            message: `somebody of team ${t + 1} must have been there when it began, but all came late`,
          },
        ]
      : [],
  );
  return [...strangers, ...empty];
}

function timesAmiss({ teams, times, lengthMs, late = [], shares = {} }: Reported): Misfit[] {
  if (!times)
    return lengthMs === undefined
      ? []
      : [{ path: ['lengthMs'], message: 'goes with `times`; leave it out, or say when players were there' }];
  if (lengthMs === undefined)
    return [{ path: ['lengthMs'], message: 'is missing; with `times` it must say how long the match took' }];
  const players = new Set(teams.flat());
  return Object.entries(times).flatMap(([playerId, stretches]): Misfit[] => {
    const path = ['times', playerId];
    if (!players.has(playerId)) return [{ path, message: `${playerId} is not in the match` }];
    if (Object.hasOwn(shares, playerId))
      return [
        { path, message: `shares.${playerId} says how long ${playerId} was there, too; give one of them` },
      ];
    if (late.includes(playerId) && stretches[0]?.fromMs === 0)
      return [{ path, message: `${playerId} came late, so their time cannot begin at 0` }];
    let end = 0;
    for (const [i, { fromMs, toMs }] of stretches.entries()) {
      const right = `must go from ${end} at the earliest to ${lengthMs} at the latest (lengthMs), and take time`;
      if (fromMs < end || toMs <= fromMs || toMs > lengthMs)
        return [{ path: [...path, i], message: `${right}; it goes from ${fromMs} to ${toMs}` }];
      end = toMs;
    }
    return [];
  });
}
