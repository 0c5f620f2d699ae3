import { own } from '@muster/domain';
import { Label, textUpTo, PlayerId, type Unchanging } from '@muster/domain/schemas';
import { z } from 'zod';

const monthMs = 2_678_400_000;

const Moment = z.number().int().min(0).max(monthMs);
const Stretch = z.strictObject({ fromMs: Moment, toMs: Moment });

export const Parties = z
  .array(z.array(z.number().int().min(2).max(100)).max(50))
  .max(100)
  .meta({
    description: 'Sizes of the parties in each team, in the order of the teams; solos are left out.',
  });

const mostStats = 32;
const StatName = textUpTo(40);

/** What a game counts of a player in a match. */
export const Stats = z
  .record(StatName, z.union([z.number().min(-1e12).max(1e12), Label]))
  .refine((stats) => Object.keys(stats).length <= mostStats, {
    message: `must have at most ${mostStats} names`,
  });

/** Parties, late joiners and presence times of a match’s players, as its reporter may send them. */
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
      'When players were present, in milliseconds since it began, in order; a missing player was present throughout. Instead of a share.',
  }),
  stats: z.record(PlayerId, Stats).optional().meta({
    description:
      'What the game counts of each player, by name: numbers, and categories as text. Ratings do not change by it; a pool may place newcomers by it.',
  }),
};

/** The part of a report that is validated here. */
type Reported = Unchanging<Partial<z.infer<z.ZodObject<typeof tookPart>>>> & {
  readonly teams: readonly (readonly string[])[];
  readonly sides?: readonly string[] | undefined;
  readonly shares?: Readonly<Record<string, number>> | undefined;
};

/** Issues with their paths. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Reports issues of a body. */
export function refuse(context: z.RefinementCtx, issues: readonly Issue[]): void {
  for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message });
}

/** Players who are named twice. @param what such as `match` */
export function twiceIn(teams: Reported['teams'], what: string): Issue[] {
  const seen = new Set<string>();
  return teams.flatMap((team, t) =>
    team.flatMap((playerId, p): Issue[] => {
      if (!seen.has(playerId)) {
        seen.add(playerId);
        return [];
      }
      return [{ path: ['teams', t, p], message: `${playerId} is in the ${what} twice` }];
    }),
  );
}

/** The contradictions with the teams of a match: sides, parties, late joiners and times of players who are not in it. */
export function issuesOf(report: Reported): Issue[] {
  return [
    ...sideIssues(report),
    ...partyIssues(report),
    ...latecomerIssues(report),
    ...timeIssues(report),
    ...absenceIssues(report),
    ...strangersIn(report.teams, 'stats', report.stats),
  ];
}

/** The issues of a field that is keyed by players and names some who are not in the match. */
export function strangersIn(
  teams: Reported['teams'],
  field: string,
  byPlayer: Readonly<Record<string, unknown>> = {},
): Issue[] {
  const players = new Set(teams.flat());
  return Object.keys(byPlayer).flatMap((playerId): Issue[] =>
    players.has(playerId) ? [] : [{ path: [field, playerId], message: `${playerId} is not in the match` }],
  );
}

function sideIssues({ teams, sides }: Reported): Issue[] {
  if (!sides || sides.length === teams.length) return [];
  return [{ path: ['sides'], message: `there are ${teams.length} teams but ${sides.length} sides` }];
}

function partyIssues({ teams, parties }: Reported): Issue[] {
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
    const members = sizes.reduce((sum, size) => sum + size, 0);
    if (members <= players) return [];
    return [
      {
        path: ['parties', t],
        message: `the parties have ${members} members, but team ${t + 1} has ${players === 1 ? 'one player' : `${players} players`}`,
      },
    ];
  });
}

function latecomerIssues({ teams, late = [] }: Reported): Issue[] {
  const players = new Set(teams.flat());
  const latecomers = new Set(late);
  const notInMatch = late.flatMap((playerId, i): Issue[] =>
    players.has(playerId) ? [] : [{ path: ['late', i], message: `${playerId} is not in the match` }],
  );
  const empty = teams.flatMap((team, t): Issue[] =>
    team.length > 0 && team.every((playerId) => latecomers.has(playerId))
      ? [
          {
            path: ['late'],
            message: `somebody of team ${t + 1} must have been there when it began, but all came late`,
          },
        ]
      : [],
  );
  const again = late.flatMap((playerId, i): Issue[] =>
    late.indexOf(playerId) < i
      ? [{ path: ['late', i], message: `names ${playerId} a second time; name every player once` }]
      : [],
  );
  return [...notInMatch, ...again, ...empty];
}

function absenceIssues({ teams, shares = {} }: Reported): Issue[] {
  if (teams.flat().some((playerId) => own(shares, playerId) !== 0)) return [];
  return [
    {
      path: ['shares'],
      message: 'nobody has any playing time; give the shares of those who played, or do not report the match',
    },
  ];
}

function timeIssues({ teams, times, lengthMs, late = [], shares = {} }: Reported): Issue[] {
  if (!times)
    return lengthMs === undefined
      ? []
      : [{ path: ['lengthMs'], message: 'goes with `times`; leave it out, or say when players were there' }];
  if (lengthMs === undefined)
    return [{ path: ['lengthMs'], message: 'is missing; with `times` it must say how long the match took' }];
  const players = new Set(teams.flat());
  return Object.entries(times).flatMap(([playerId, stretches]): Issue[] => {
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
