import { own } from '../own.js';
import type { CoolDownRules, QueueRules, WideningCurve } from './queue-rules.js';

/** One contradiction in rules: its path, and a sentence with the actual and the expected value. */
export interface Flaw {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** No client is nearer to a server than this; a smaller limit was meant in seconds. */
const leastLatencyMs = 1;

/**
 * Contradictions in rules whose fields are each within their range: steps that contradict one another, that are never
 * reached, or that cannot be satisfied. Empty when there are none.
 */
export function flawsOf(rules: QueueRules): Flaw[] {
  return [
    ...partyFlaws(rules),
    ...(['skillWindow', 'teamGap', 'latencyLimitMs'] as const).flatMap((field) =>
      curveFlaws(rules[field], rules.ticketTtlSeconds).map((flaw) => under([field], flaw)),
    ),
    ...latencyFlaws(rules),
    ...roleFlaws(rules),
    ...sideFlaws(rules),
    ...mapFlaws(rules),
    ...behaviourFlaws(rules),
    ...crossPlayFlaws(rules),
    ...smallerTeamFlaws(rules),
    ...botFlaws(rules),
    ...entryFlaws(rules),
    ...backfillFlaws(rules),
    ...readyCheckFlaws(rules),
    ...leaveFlaws(rules),
    ...blameFlaws(rules),
    ...labelFlaws(rules),
    ...(['readyCheck', 'noShows', 'leavers'] as const).flatMap((field) =>
      coolDownFlaws(rules[field]).map((flaw) => under([field], flaw)),
    ),
  ];
}

/** A request that expires before a player can accept it. */
function backfillFlaws({ backfill, readyCheck }: QueueRules): Flaw[] {
  if (!backfill || !readyCheck || backfill.seconds > readyCheck.seconds) return [];
  const message = `must be longer than players have to accept: more than ${readyCheck.seconds} (readyCheck.seconds), not ${backfill.seconds}`;
  return [{ path: ['backfill', 'seconds'], message }];
}

/** A check that outlives the tickets which it asks. */
function readyCheckFlaws({ readyCheck, ticketTtlSeconds }: QueueRules): Flaw[] {
  if (!readyCheck || readyCheck.seconds < ticketTtlSeconds) return [];
  const message = `must be shorter than the life of a ticket: below ${ticketTtlSeconds} (ticketTtlSeconds), not ${readyCheck.seconds}`;
  return [{ path: ['readyCheck', 'seconds'], message }];
}

/** A right to leave a match that is given up before. */
function leaveFlaws({ leaveWithoutServerSeconds = 0, placementTimeoutSeconds }: QueueRules): Flaw[] {
  if (leaveWithoutServerSeconds < placementTimeoutSeconds) return [];
  const message = `is never reached: a match without a server is given up after ${placementTimeoutSeconds} s (placementTimeoutSeconds), and this is ${leaveWithoutServerSeconds} s; let it come sooner`;
  return [{ path: ['leaveWithoutServerSeconds'], message }];
}

/** A share that one player exceeds, which 0 says openly. */
function blameFlaws({ massBlameShare = 1, teams, teamSize }: QueueRules): Flaw[] {
  const players = teams * teamSize;
  if (massBlameShare === 0 || massBlameShare * players >= 1) return [];
  const message = `one of ${players} players (teams × teamSize) is a larger share than ${massBlameShare}, so every penalty would be lifted; give at least ${Math.ceil(1e4 / players) / 1e4}, or 0 when operators decide on each`;
  return [{ path: ['massBlameShare'], message }];
}

/** Servers that could not play the queue's mode or maps. A server's own `modes` and `maps` are heeded without a rule. */
function labelFlaws({ serverLabels = {}, mode, maps }: QueueRules): Flaw[] {
  const known = { modes: [mode], maps: maps?.names };
  return (['modes', 'maps'] as const).flatMap((label): Flaw[] => {
    const value = own(serverLabels, label);
    if (value === undefined || (known[label]?.includes(value) ?? true)) return [];
    const played = label === 'modes' ? `the mode is "${mode}" (mode)` : 'maps.names does not name it';
    const message = `"${value}" is not played here: ${played}; servers that cannot play a match are left out anyway, so leave it out`;
    return [{ path: ['serverLabels', label], message }];
  });
}

const under = (path: Flaw['path'], flaw: Flaw): Flaw => ({ ...flaw, path: [...path, ...flaw.path] });

/** The flaw of a step that comes when every ticket has expired. */
function lateFlaws(
  path: Flaw['path'],
  afterSeconds: number | null | undefined,
  ttlSeconds: number,
  instead = 'let it come sooner, or let tickets wait longer',
): Flaw[] {
  if (afterSeconds === null || afterSeconds === undefined || afterSeconds < ttlSeconds) return [];
  const message = `is never reached: a ticket expires after ${ttlSeconds} s (ticketTtlSeconds), and this is ${afterSeconds} s; ${instead}`;
  return [{ path, message }];
}

function partyFlaws({
  maxPartySize,
  teamSize,
  pairPartiesSeconds = 0,
  ticketTtlSeconds,
}: QueueRules): Flaw[] {
  return [
    ...(maxPartySize > teamSize
      ? [
          {
            path: ['maxPartySize'],
            message: `a party must fit into a team: at most ${teamSize} (teamSize), not ${maxPartySize}`,
          },
        ]
      : []),
    ...(pairPartiesSeconds > 0 && maxPartySize === 1
      ? [
          {
            path: ['pairPartiesSeconds'],
            message: 'no party may queue here (maxPartySize is 1), so none can be paired; leave it out',
          },
        ]
      : []),
    ...lateFlaws(['pairPartiesSeconds'], pairPartiesSeconds, ticketTtlSeconds),
  ];
}

function curveFlaws(curve: WideningCurve, ttlSeconds: number): Flaw[] {
  return curve.flatMap(({ afterSeconds, limit }, i): Flaw[] => {
    const before = curve[i - 1];
    const flaws: Flaw[] = [];
    if (i === 0 && afterSeconds !== 0)
      flaws.push({
        path: [0, 'afterSeconds'],
        message: `the first corner must be at 0 seconds, not ${afterSeconds}: it says what holds from the start`,
      });
    if (before && afterSeconds <= before.afterSeconds)
      flaws.push({
        path: [i, 'afterSeconds'],
        message: `corners must rise in time (was ${before.afterSeconds}, is ${afterSeconds})`,
      });
    else flaws.push(...lateFlaws([i, 'afterSeconds'], afterSeconds, ttlSeconds));
    if (limit === null && i < curve.length - 1)
      flaws.push({
        path: [i, 'limit'],
        message: 'only the last corner may be “no limit any more” (null); take away the corners after it',
      });
    if (before && before.limit !== null && limit !== null && limit < before.limit)
      flaws.push({
        path: [i, 'limit'],
        message: `a limit may not narrow with waiting (was ${before.limit}, is ${limit})`,
      });
    return flaws;
  });
}

function latencyFlaws({ latencyLimitMs }: QueueRules): Flaw[] {
  return latencyLimitMs.flatMap(({ limit }, i) =>
    limit !== null && limit < leastLatencyMs
      ? [
          {
            path: ['latencyLimitMs', i, 'limit'],
            message: `latencies are in milliseconds, and nobody is within ${limit} ms of a server; ${limit} s would be ${limit * 1000}`,
          },
        ]
      : [],
  );
}

/** The limit of the solver. */
const mostRoles = 8;

function roleFlaws({ roles, teamSize }: QueueRules): Flaw[] {
  if (roles === undefined) return [];
  const wanted = placesOf(roles);
  if (wanted === 0)
    return [{ path: ['roles'], message: 'names no role; name those that a team needs, or leave it out' }];
  const named = Object.keys(roles).length;
  if (named > mostRoles)
    return [{ path: ['roles'], message: `names ${named} roles; teams can be made for ${mostRoles} at most` }];
  if (wanted <= teamSize) return [];
  return [
    {
      path: ['roles'],
      message: `cannot be filled: they want ${wanted} players of a team of ${teamSize} (teamSize)`,
    },
  ];
}

function placesOf(roles: Readonly<Record<string, number>>): number {
  return Object.values(roles).reduce((sum, players) => sum + players, 0);
}

function sideFlaws({ sides, teams }: QueueRules): Flaw[] {
  if (!sides) return [];
  if (sides.length !== teams)
    return [{ path: ['sides'], message: `must be one for each team: ${teams} (teams), not ${sides.length}` }];
  return sides.flatMap((name, i) =>
    sides.indexOf(name) === i
      ? []
      : [{ path: ['sides', i], message: `"${name}" is in the list already; each team plays another side` }],
  );
}

function mapFlaws({ maps, ticketTtlSeconds }: QueueRules): Flaw[] {
  if (!maps) return [];
  const { names, agreeSeconds } = maps;
  const twice = names.flatMap((name, i) => {
    const first = names.indexOf(name);
    return first === i ? [] : [{ path: ['maps', 'names', i], message: `"${name}" is in the list already` }];
  });
  return [
    ...twice,
    ...lateFlaws(
      ['maps', 'agreeSeconds'],
      agreeSeconds,
      ticketTtlSeconds,
      'let it come sooner, or give null for “everybody’s wish, always”',
    ),
  ];
}

function behaviourFlaws({ behaviour, ticketTtlSeconds }: QueueRules): Flaw[] {
  if (!behaviour) return [];
  return [
    ...(behaviour.lowBelow === 0
      ? [
          {
            path: ['behaviour', 'lowBelow'],
            message:
              'nobody’s score is below 0, so nobody would be kept apart; give more, or leave behaviour out',
          },
        ]
      : []),
    ...lateFlaws(
      ['behaviour', 'apartSeconds'],
      behaviour.apartSeconds,
      ticketTtlSeconds,
      'let it come sooner, or give null for “never”',
    ),
  ];
}

function crossPlayFlaws({ crossPlay, maxPartySize }: QueueRules): Flaw[] {
  if (!crossPlay) return [];
  const { groups, partiesOpenCrossPlay } = crossPlay;
  const seen = new Map<string, number>();
  const twice = groups.flatMap((group, g) =>
    group.flatMap((platform, p): Flaw[] => {
      const before = seen.get(platform);
      if (before === undefined) seen.set(platform, g);
      const where = before === g ? 'this group' : `groups[${before}]`;
      const message = `"${platform}" is in ${where} already; a platform is in one group, once`;
      return before === undefined ? [] : [{ path: ['crossPlay', 'groups', g, p], message }];
    }),
  );
  const opens = (message: string): Flaw => ({ path: ['crossPlay', 'partiesOpenCrossPlay'], message });
  return [
    ...twice,
    ...(partiesOpenCrossPlay && groups.length === 1
      ? [opens('there is one group, and all of it meet; leave it out, or name the groups that a party opens')]
      : []),
    ...(partiesOpenCrossPlay && maxPartySize === 1
      ? [opens('no party may queue here (maxPartySize is 1), so none opens anything; leave it out')]
      : []),
  ];
}

function smallerTeamFlaws({ smallerTeams = [], teamSize, roles = {}, ticketTtlSeconds }: QueueRules): Flaw[] {
  const wanted = placesOf(roles);
  return smallerTeams.flatMap((step, i): Flaw[] => {
    const before = smallerTeams[i - 1];
    const largest = before ? before.teamSize : teamSize;
    const flaws: Flaw[] = [];
    if (before && step.afterSeconds <= before.afterSeconds)
      flaws.push({
        path: [i, 'afterSeconds'],
        message: `steps must rise in time (was ${before.afterSeconds}, is ${step.afterSeconds})`,
      });
    else flaws.push(...lateFlaws([i, 'afterSeconds'], step.afterSeconds, ticketTtlSeconds));
    if (step.teamSize >= largest)
      flaws.push({
        path: [i, 'teamSize'],
        message: `teams must become smaller: below ${largest}${before ? '' : ' (teamSize)'}, not ${step.teamSize}`,
      });
    else if (step.teamSize < wanted && wanted <= teamSize)
      flaws.push({
        path: [i, 'teamSize'],
        message: `a team of ${step.teamSize} cannot fill the roles, which want ${wanted} players`,
      });
    return flaws.map((flaw) => under(['smallerTeams'], flaw));
  });
}

function botFlaws({ bots, teams, teamSize, ticketTtlSeconds }: QueueRules): Flaw[] {
  if (!bots) return [];
  const places = teams * teamSize;
  const { minPlayers } = bots;
  const flaw = (message: string): Flaw => ({ path: ['bots', 'minPlayers'], message });
  return [
    ...lateFlaws(['bots', 'afterSeconds'], bots.afterSeconds, ticketTtlSeconds),
    ...(minPlayers < teams
      ? [
          flaw(
            `every team needs a human: at least ${teams} (teams), not ${minPlayers}; humans against a team of bots alone (co-op) are not matched, since a result rates humans by humans`,
          ),
        ]
      : []),
    ...(minPlayers >= places
      ? [
          flaw(
            `a match has ${places} places (teams × teamSize), so ${minPlayers} humans leave none to bots; give less, or leave bots out`,
          ),
        ]
      : []),
  ];
}

function entryFlaws({ entry, calibrationMatches = 0 }: QueueRules): Flaw[] {
  if (!entry) return [];
  const { verified, minPlayMinutes, minAccountDays, minMatches = 0 } = entry;
  const asksNothing = !verified && !minPlayMinutes && !minAccountDays && !minMatches;
  return [
    ...(asksNothing
      ? [
          {
            path: ['entry'],
            message:
              'asks for nothing; give verified, minPlayMinutes, minAccountDays or minMatches, or leave it out',
          },
        ]
      : []),
    ...(minMatches > 0 && calibrationMatches > 0
      ? [
          {
            path: ['entry', 'minMatches'],
            message: `nobody new to the pool gets in, so nobody plays the ${calibrationMatches} calibration matches (calibrationMatches); leave those to the queue that newcomers play in`,
          },
        ]
      : []),
  ];
}

function coolDownFlaws(rules: CoolDownRules | undefined): Flaw[] {
  if (!rules) return [];
  const { coolDownSeconds, forgiveAfterSeconds } = rules;
  const longest = Math.max(...coolDownSeconds);
  return [
    ...coolDownSeconds.flatMap((seconds, i): Flaw[] => {
      const before = coolDownSeconds[i - 1] ?? 0;
      const message = `a cool-down may not be shorter than the one before (was ${before}, is ${seconds})`;
      return seconds < before ? [{ path: ['coolDownSeconds', i], message }] : [];
    }),
    ...(forgiveAfterSeconds < longest
      ? [
          {
            path: ['forgiveAfterSeconds'],
            message: `is over before the longest cool-down is, so that it would be forgotten by then: at least ${longest}, not ${forgiveAfterSeconds}`,
          },
        ]
      : []),
  ];
}
