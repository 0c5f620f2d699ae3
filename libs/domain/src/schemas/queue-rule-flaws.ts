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

/** The flaw, where it is one. */
const flawIf = (isFlaw: boolean, path: Flaw['path'], message: string): Flaw[] =>
  isFlaw ? [{ path, message }] : [];

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
    ...flawIf(
      maxPartySize > teamSize,
      ['maxPartySize'],
      `a party must fit into a team: at most ${teamSize} (teamSize), not ${maxPartySize}`,
    ),
    ...flawIf(
      pairPartiesSeconds > 0 && maxPartySize === 1,
      ['pairPartiesSeconds'],
      'no party may queue here (maxPartySize is 1), so none can be paired; leave it out',
    ),
    ...lateFlaws(['pairPartiesSeconds'], pairPartiesSeconds, ticketTtlSeconds),
  ];
}

/** The flaws of the time of a step, which comes after the one before it. */
function stepFlaws(
  path: Flaw['path'],
  steps: string,
  before: { readonly afterSeconds: number } | undefined,
  afterSeconds: number,
  ttlSeconds: number,
): Flaw[] {
  if (!before || afterSeconds > before.afterSeconds) return lateFlaws(path, afterSeconds, ttlSeconds);
  return [{ path, message: `${steps} must rise in time (was ${before.afterSeconds}, is ${afterSeconds})` }];
}

function curveFlaws(curve: WideningCurve, ttlSeconds: number): Flaw[] {
  return curve.flatMap(({ afterSeconds, limit }, i): Flaw[] => {
    const before = curve[i - 1];
    const least = before?.limit ?? -Infinity;
    return [
      ...flawIf(
        i === 0 && afterSeconds !== 0,
        [0, 'afterSeconds'],
        `the first corner must be at 0 seconds, not ${afterSeconds}: it says what holds from the start`,
      ),
      ...stepFlaws([i, 'afterSeconds'], 'corners', before, afterSeconds, ttlSeconds),
      ...flawIf(
        limit === null && i < curve.length - 1,
        [i, 'limit'],
        'only the last corner may be “no limit any more” (null); take away the corners after it',
      ),
      ...flawIf(
        limit !== null && limit < least,
        [i, 'limit'],
        `a limit may not narrow with waiting (was ${least}, is ${limit})`,
      ),
    ];
  });
}

function latencyFlaws({ latencyLimitMs }: QueueRules): Flaw[] {
  return latencyLimitMs.flatMap(({ limit }, i) => {
    if (limit === null || limit >= leastLatencyMs) return [];
    const message = `latencies are in milliseconds, and nobody is within ${limit} ms of a server; ${limit} s would be ${limit * 1000}`;
    return [{ path: ['latencyLimitMs', i, 'limit'], message }];
  });
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
  return flawIf(
    wanted > teamSize,
    ['roles'],
    `cannot be filled: they want ${wanted} players of a team of ${teamSize} (teamSize)`,
  );
}

function placesOf(roles: Readonly<Record<string, number>>): number {
  return Object.values(roles).reduce((sum, players) => sum + players, 0);
}

function sideFlaws({ sides, teams }: QueueRules): Flaw[] {
  if (!sides) return [];
  if (sides.length !== teams)
    return [{ path: ['sides'], message: `must be one for each team: ${teams} (teams), not ${sides.length}` }];
  return twiceFlaws(sides, ['sides'], '; each team plays another side');
}

/** Names that are in a list again. */
function twiceFlaws(names: readonly string[], path: Flaw['path'], hint = ''): Flaw[] {
  return names.flatMap((name, i) =>
    flawIf(names.indexOf(name) !== i, [...path, i], `"${name}" is in the list already${hint}`),
  );
}

function mapFlaws({ maps, ticketTtlSeconds }: QueueRules): Flaw[] {
  if (!maps) return [];
  const { names, agreeSeconds } = maps;
  return [
    ...twiceFlaws(names, ['maps', 'names']),
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
    ...flawIf(
      behaviour.lowBelow === 0,
      ['behaviour', 'lowBelow'],
      'nobody’s score is below 0, so nobody would be kept apart; give more, or leave behaviour out',
    ),
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
      return flawIf(before !== undefined, ['crossPlay', 'groups', g, p], message);
    }),
  );
  if (!partiesOpenCrossPlay) return twice;
  const path = ['crossPlay', 'partiesOpenCrossPlay'];
  return [
    ...twice,
    ...flawIf(
      groups.length === 1,
      path,
      'there is one group, and all of it meet; leave it out, or name the groups that a party opens',
    ),
    ...flawIf(
      maxPartySize === 1,
      path,
      'no party may queue here (maxPartySize is 1), so none opens anything; leave it out',
    ),
  ];
}

function smallerTeamFlaws({ smallerTeams = [], teamSize, roles = {}, ticketTtlSeconds }: QueueRules): Flaw[] {
  const wanted = placesOf(roles);
  return smallerTeams.flatMap((step, i): Flaw[] => {
    const before = smallerTeams[i - 1];
    const largest = before ? before.teamSize : teamSize;
    const path = ['smallerTeams', i, 'teamSize'];
    return [
      ...stepFlaws(['smallerTeams', i, 'afterSeconds'], 'steps', before, step.afterSeconds, ticketTtlSeconds),
      ...flawIf(
        step.teamSize >= largest,
        path,
        `teams must become smaller: below ${largest}${before ? '' : ' (teamSize)'}, not ${step.teamSize}`,
      ),
      ...flawIf(
        step.teamSize < largest && step.teamSize < wanted && wanted <= teamSize,
        path,
        `a team of ${step.teamSize} cannot fill the roles, which want ${wanted} players`,
      ),
    ];
  });
}

function botFlaws({ bots, teams, teamSize, ticketTtlSeconds }: QueueRules): Flaw[] {
  if (!bots) return [];
  const places = teams * teamSize;
  const { minPlayers } = bots;
  const path = ['bots', 'minPlayers'];
  return [
    ...lateFlaws(['bots', 'afterSeconds'], bots.afterSeconds, ticketTtlSeconds),
    ...flawIf(
      minPlayers < teams,
      path,
      `every team needs a human: at least ${teams} (teams), not ${minPlayers}; humans against a team of bots alone (co-op) are not matched, since a result rates humans by humans`,
    ),
    ...flawIf(
      minPlayers >= places,
      path,
      `a match has ${places} places (teams × teamSize), so ${minPlayers} humans leave none to bots; give less, or leave bots out`,
    ),
  ];
}

function entryFlaws({ entry, calibrationMatches = 0 }: QueueRules): Flaw[] {
  if (!entry) return [];
  const { verified, minPlayMinutes, minAccountDays, minMatches = 0, entitlements = [] } = entry;
  const asksNothing =
    !verified && !minPlayMinutes && !minAccountDays && !minMatches && entitlements.length === 0;
  return [
    ...flawIf(
      asksNothing,
      ['entry'],
      'asks for nothing; give verified, minPlayMinutes, minAccountDays, minMatches or entitlements, or leave it out',
    ),
    ...flawIf(
      minMatches > 0 && calibrationMatches > 0,
      ['entry', 'minMatches'],
      `nobody new to the pool gets in, so nobody plays the ${calibrationMatches} calibration matches (calibrationMatches); leave those to the queue that newcomers play in`,
    ),
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
      return flawIf(seconds < before, ['coolDownSeconds', i], message);
    }),
    ...flawIf(
      forgiveAfterSeconds < longest,
      ['forgiveAfterSeconds'],
      `is over before the longest cool-down is, so that it would be forgotten by then: at least ${longest}, not ${forgiveAfterSeconds}`,
    ),
  ];
}
