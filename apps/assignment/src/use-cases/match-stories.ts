import { MatchSplit, type MatchView } from '@muster/contracts';
import {
  MatchNotFound,
  type LedgerRow,
  type MatchHistory,
  type MatchQuery,
  type MatchStory,
} from '@muster/domain';
import { forPlayers } from './explain-split.js';

const storedSplit = MatchSplit.nullable().catch(null);

/** Asks the rating service what rating some matches changed. */
export interface ChangeReader {
  changes(matchIds: readonly string[]): Promise<LedgerRow[]>;
}

/** Matches with teams, prediction, outcome and ratings before and after. */
export class MatchStories {
  constructor(
    private readonly history: MatchHistory,
    private readonly ledger: ChangeReader,
  ) {}

  /** @param viewer a player, who sees their own matches only, or null for an operator */
  async read(matchId: string, viewer: string | null): Promise<MatchView> {
    const story = await this.history.find(matchId);
    if (!story || (viewer !== null && !story.players.some((player) => player.playerId === viewer))) {
      throw new MatchNotFound(`There is no match ${matchId}${viewer === null ? '' : ' of yours'}.`, {
        matchId,
      });
    }
    const [view] = await this.withChanges([story]);
    if (!view) throw new MatchNotFound(`There is no match ${matchId}.`);
    if (viewer === null) return view;
    // Numbers are for operators; a player sees who, where and why.
    const players = view.players.map((p) => ({
      ...p,
      ticketId: p.playerId === viewer ? p.ticketId : null,
      level: null,
      before: null,
      after: null,
    }));
    return { ...view, why: forPlayers(view.why), split: null, players };
  }

  async page(query: MatchQuery): Promise<{ matches: MatchView[]; next: string | null }> {
    const stories = await this.history.page(query);
    const last = stories.length === query.limit ? stories.at(-1) : undefined;
    return {
      matches: await this.withChanges(stories),
      next: last ? `${last.formedAt ?? 0}.${last.matchId}` : null,
    };
  }

  private async withChanges(stories: readonly MatchStory[]): Promise<MatchView[]> {
    const rated = stories.filter((story) => story.state === 'rated').map((story) => story.matchId);
    const changes = rated.length === 0 ? [] : await this.ledger.changes(rated);
    const byPlayer = new Map(changes.map((change) => [`${change.matchId} ${change.playerId}`, change]));
    return stories.map((story) => ({
      ...story,
      // A record of an earlier form says nothing that could be relied on.
      split: storedSplit.parse(story.split),
      why: [...story.why],
      prediction: [...story.prediction],
      ranks: [...story.ranks],
      bots: [...story.bots],
      balance: story.balance.map(({ moves, ...order }) => ({ ...order, moves: [...moves] })),
      players: story.players.map((player) => {
        const { playerId, team, ticketId, waitedMs, role = null, mu, sigma } = player;
        const { joinedAt = null, backfillId = null, leftAt = null } = player;
        const change = byPlayer.get(`${story.matchId} ${playerId}`);
        return {
          playerId,
          team,
          ticketId,
          waitedMs,
          role,
          joinedAt,
          backfillId,
          leftAt,
          level: mu,
          before: change?.before ?? { mu, sigma },
          after: change?.after ?? null,
        };
      }),
    }));
  }
}

/** @returns where a page begins, or undefined when the cursor is not one of ours */
export function readCursor(cursor: string): MatchQuery['cursor'] {
  // Reported matches may be older than 1970; more digits than these are no date that the store knows.
  const [, at, matchId] = /^(-?\d{1,14})\.([a-z]{2,4}_[A-Za-z0-9_-]{8,64})$/.exec(cursor) ?? [];
  return at !== undefined && matchId !== undefined ? { at: Number(at), matchId } : undefined;
}
