import type { AnswerOf } from '@muster/contracts';

export type Match = AnswerOf<'listMatches'>['matches'][number];
export type MatchPlayer = Match['players'][number];

/** A player in a match; undefined: not in it. */
export const playerIn = (match: Match, playerId: string): MatchPlayer | undefined =>
  match.players.find((player) => player.playerId === playerId);

const stateWords: Readonly<Record<Match['state'], string>> = {
  formed: 'waits for a server',
  placed: 'in progress',
  ended: 'ended, not rated yet',
  rated: 'rated',
  abandoned: 'abandoned',
  void: 'void',
};

/** How a match ended for a team: won, lost, a draw, or its place; without a result its state. */
export function outcomeOf(
  { state, ranks }: Pick<Match, 'state' | 'ranks'>,
  team: number | undefined,
): string {
  const rank = team === undefined ? undefined : ranks[team];
  const counts = state === 'ended' || state === 'rated';
  if (!counts || rank === undefined) return stateWords[state];
  const isShared = ranks.filter((each) => each === rank).length > 1;
  if (isShared && ranks.length === 2) return 'draw';
  if (ranks.length === 2) return rank === 1 ? 'won' : 'lost';
  return `${isShared ? 'shared ' : ''}place ${rank} of ${ranks.length}`;
}

/** How far a match moved a rating; null: it is not known, or there is none. */
export function movedBy({ before, after }: Pick<MatchPlayer, 'before' | 'after'>): number | null {
  return before && after ? after.mu - before.mu : null;
}
