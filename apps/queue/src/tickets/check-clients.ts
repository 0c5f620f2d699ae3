import {
  CrossPlayRefused,
  MixedBuilds,
  UnknownPlatform,
  type ClientFacts,
  type QueueRules,
} from '@muster/domain';
import { groupOfPlatform } from '@muster/matchmaking';

/** A player of a ticket, with their client. */
export interface PlayerClient extends ClientFacts {
  readonly playerId: string;
}

/** Checks that a party has one build. Members without one get the leader's. @throws MixedBuilds with each player's build */
export function checkBuilds(build: string, players: readonly PlayerClient[]): void {
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
export function checkPlatforms(
  { name, crossPlay }: Pick<QueueRules, 'name' | 'crossPlay'>,
  players: readonly PlayerClient[],
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

function refusal(players: readonly PlayerClient[], why: string, facts: object = {}): CrossPlayRefused {
  const on = players.map(({ playerId, platform }) => ({ playerId, platform }));
  const detail = on.map(({ playerId, platform }) => `${playerId} is on ${platform}`).join(', ');
  return new CrossPlayRefused(`${why}: ${detail}.`, { players: on, ...facts });
}
