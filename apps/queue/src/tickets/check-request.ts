import { sentenceOf, viewsOf } from '@muster/contracts';
import {
  BoosterRefused,
  CrossPlayRefused,
  EntryRefused,
  MixedBuilds,
  own,
  PartyTooLarge,
  PlayerTwice,
  UnknownMap,
  UnknownPlatform,
  UnknownRole,
  type PlayerRating,
  type QueueRules,
  type Ticket,
  type TicketPlayer,
} from '@muster/domain';
import { entryGaps, gapMessage, groupOfPlatform } from '@muster/matchmaking';
import type { EnqueueRequest, Group, QueuedPlayer } from './group.js';

/** A request in terms of the queue's rules. What nobody asks for is absent, so that equal requests have equal fingerprints. */
export interface CheckedRequest {
  /** Of every player, null for one without a platform; undefined where nobody has one. */
  readonly platforms: readonly (string | null)[] | undefined;
  /** The roles of players who can play some. */
  readonly canPlay: Record<string, string[]> | undefined;
  readonly wishes: Pick<Ticket, 'maps' | 'crossPlay'>;
  /** What the client of a player sent about them, for the ticket. */
  sentBy(playerId: string): Pick<TicketPlayer, 'canPlay' | 'platform'>;
}

/**
 * Checks a request against the queue's rules: what can be checked without reading anything.
 *
 * @throws PlayerTwice, PartyTooLarge, BoosterRefused, UnknownRole, UnknownMap, and what {@link checkPlatforms} refuses
 */
export function checkRequest(
  { queue, booster, maps }: EnqueueRequest,
  { players }: Group,
  rules: QueueRules,
): CheckedRequest {
  const playerIds = players.map(({ playerId }) => playerId);
  checkParty(queue, playerIds, rules);
  checkBooster(booster, playerIds);
  checkPlatforms(rules, players);
  const canPlay = rolesIn(rules, players);
  const wished = mapsIn(rules, maps);
  const platforms = new Map(players.map(({ playerId, platform }) => [playerId, platform]));
  return {
    platforms: players.some(({ platform }) => platform !== undefined)
      ? players.map(({ platform = null }) => platform)
      : undefined,
    canPlay,
    wishes: {
      ...(wished ? { maps: wished } : {}),
      ...(players.some(({ crossPlay }) => crossPlay === false) ? { crossPlay: false } : {}),
    },
    sentBy: (playerId) => {
      const roles = own(canPlay, playerId);
      const platform = platforms.get(playerId);
      return { ...(roles ? { canPlay: roles } : {}), ...(platform === undefined ? {} : { platform }) };
    },
  };
}

function checkParty(queue: string, playerIds: readonly string[], { maxPartySize }: QueueRules): void {
  const twice = playerIds.find((id, i) => playerIds.indexOf(id) !== i);
  if (twice !== undefined)
    throw new PlayerTwice(`${twice} is in the party twice; name every member once.`, { playerId: twice });
  if (playerIds.length > maxPartySize)
    throw new PartyTooLarge(
      `The party has ${playerIds.length} players; ${queue} takes at most ${maxPartySize}.`,
      { size: playerIds.length, largest: maxPartySize },
    );
}

/** A party's skill is the mean of its members, so a booster in it would lead all of them. */
function checkBooster(booster: boolean | undefined, { length: size }: readonly string[]): void {
  if (booster && size > 1)
    throw new BoosterRefused('A booster is for a player who queues alone; queue the party without one.');
}

/** Sorted and without duplicates: the same wishes are the same request. */
const named = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

/** @returns undefined when nobody names any, like a request without the field @throws UnknownRole with the known roles */
function rolesIn(
  { name, roles = {} }: QueueRules,
  players: readonly QueuedPlayer[],
): Record<string, string[]> | undefined {
  const known = Object.keys(roles);
  const stated = players.filter(({ canPlay = [] }) => canPlay.length > 0);
  for (const { playerId, canPlay = [] } of stated)
    for (const role of canPlay)
      if (!known.includes(role))
        throw new UnknownRole(
          known.length === 0
            ? `${name} demands no roles, so nobody can be counted on for "${role}"; leave canPlay out.`
            : `${name} demands no role "${role}", which ${playerId} can play; there is ${known.join(', ')}.`,
          { role, playerId, roles: known },
        );
  return stated.length === 0
    ? undefined
    : Object.fromEntries(stated.map(({ playerId, canPlay = [] }) => [playerId, named(canPlay)]));
}

/** @returns undefined when none is wished for @throws UnknownMap with the known maps */
function mapsIn({ name, maps }: QueueRules, wished: readonly string[]): string[] | undefined {
  const known = maps?.names ?? [];
  const unknownMap = wished.find((map) => !known.includes(map));
  if (unknownMap !== undefined)
    throw new UnknownMap(
      known.length === 0
        ? `${name} names no maps, so none can be wished for; leave maps out.`
        : `${name} does not play "${unknownMap}"; there is ${known.join(', ')}.`,
      { map: unknownMap, maps: known },
    );
  return wished.length === 0 ? undefined : named(wished);
}

/** Checks that a party has one build. Members without one get the leader's. @throws MixedBuilds with each player's build */
export function checkBuilds(build: string, players: readonly QueuedPlayer[]): void {
  const [leader, ...members] = players;
  if (!leader || members.every((member) => (member.build ?? build) === build)) return;
  const builds = [{ ...leader, build }, ...members].flatMap(({ playerId, build: its }) =>
    its === undefined ? [] : [{ playerId, build: its }],
  );
  const detail = builds.map((each) => `${each.playerId} has ${each.build}`).join(', ');
  throw new MixedBuilds(
    `Only equal builds meet, and the party has several: ${detail}. Update to one build.`,
    {
      builds,
    },
  );
}

/**
 * Checks that the players' platforms may play together.
 *
 * @throws UnknownPlatform for a platform that the queue does not take, or for a missing one
 * @throws CrossPlayRefused with each player's platform
 */
function checkPlatforms(
  { name, crossPlay }: Pick<QueueRules, 'name' | 'crossPlay'>,
  players: readonly QueuedPlayer[],
): void {
  const alone = players.find((player) => player.crossPlay === false);
  const silent = players.find((player) => player.platform === undefined);
  const suffixOf = (playerId: string): string => (players.length === 1 ? '' : ` (${playerId})`);
  if (alone && silent)
    throw new UnknownPlatform(
      `Without cross-play${suffixOf(alone.playerId)} every player must name a platform; one is missing${suffixOf(silent.playerId)}.`,
      { playerId: silent.playerId, platform: null },
    );
  if (alone && players.some(({ platform }) => platform !== alone.platform))
    throw refusal(
      players,
      `${alone.playerId} plays without cross-play, so all of the party must be on ${alone.platform}`,
    );
  if (!crossPlay) return;
  const platforms = crossPlay.groups.flat();
  for (const { playerId, platform } of players)
    if (groupOfPlatform(crossPlay, platform) === null)
      throw new UnknownPlatform(
        platform === undefined
          ? `${name} keeps platforms apart, so every player must name theirs; one is missing${suffixOf(playerId)}. It takes ${platforms.join(', ')}.`
          : `${name} does not take the platform "${platform}"${suffixOf(playerId)}. It takes ${platforms.join(', ')}.`,
        { playerId, platform: platform ?? null, platforms },
      );
  const groups = new Set(players.map(({ platform }) => groupOfPlatform(crossPlay, platform)));
  if (groups.size > 1 && !crossPlay.partiesOpenCrossPlay)
    throw refusal(
      players,
      `${name} keeps platforms apart (${crossPlay.groups.map((group) => group.join(', ')).join(' | ')}), also within a party`,
      { groups: crossPlay.groups },
    );
}

function refusal(players: readonly QueuedPlayer[], why: string, facts: object = {}): CrossPlayRefused {
  const on = players.map(({ playerId, platform }) => ({ playerId, platform }));
  const detail = on.map(({ playerId, platform }) => `${playerId} is on ${platform}`).join(', ');
  return new CrossPlayRefused(`${why}: ${detail}.`, { players: on, ...facts });
}

/**
 * Checks the queue's entry requirements: every player of a ticket must meet all of them.
 *
 * @param ratings the leader's first, who reads what is missing
 * @throws EntryRefused with the missing requirements of each player
 */
export function checkEntry(
  { name, entry }: Pick<QueueRules, 'name' | 'entry'>,
  ratings: readonly PlayerRating[],
  players: readonly QueuedPlayer[],
  now: number,
): void {
  if (!entry) return;
  const claimsOf = new Map(players.map(({ playerId, claims }) => [playerId, claims]));
  const missing = ratings.flatMap(({ playerId, matches }) =>
    entryGaps(entry, { claims: claimsOf.get(playerId) ?? {}, matches }, now).map((gap) => ({
      playerId,
      gap,
    })),
  );
  if (missing.length === 0) return;
  const leader = ratings[0]?.playerId;
  const who = ratings.length === 1 ? 'You may not' : 'Not all of you may';
  const messages = missing.map(({ playerId, gap }) => gapMessage(gap, playerId, playerId === leader));
  throw new EntryRefused(`${who} queue in ${name} yet: ${messages.map(sentenceOf).join('; ')}.`, {
    missing: missing.map(({ playerId, gap }) => ({ playerId, ...gap })),
    detailMessages: viewsOf(messages),
  });
}
