import {
  MatchSplit,
  textOf,
  viewsOf,
  type MatchView,
  type MessageView,
  type SentOrder,
} from '@muster/contracts';
import { MatchNotFound, own, type LedgerRow } from '@muster/domain';
import type { RatingClient } from '../ratings/rating.client.js';
import { openToPlayers } from './open-to-players.js';
import type { MatchList, MatchStory, PostgresMatchHistory } from './match-history.store.js';
import type { MatchQuery } from './match-places.store.js';

const storedSplit = MatchSplit.nullable().catch(null);

export interface MatchPage {
  readonly matches: MatchView[];
  /** The cursor of the next page; null when there is none. */
  readonly next: string | null;
}

/** Matches with teams, prediction, outcome and ratings before and after. */
export class MatchStories {
  constructor(
    private readonly history: PostgresMatchHistory,
    private readonly ledger: Pick<RatingClient, 'changes' | 'names'>,
  ) {}

  /** @param viewer a player, who sees their own matches only, or null for an operator */
  async read(matchId: string, viewer: string | null): Promise<MatchView> {
    const story = await this.history.find(matchId);
    if (!story || (viewer !== null && !story.players.some((player) => player.playerId === viewer))) {
      throw new MatchNotFound(`There is no match ${matchId}${viewer === null ? '' : ' of yours'}.`, {
        matchId,
      });
    }
    if (viewer !== null) return seenBy(viewer, story);
    const [view] = await this.withChanges([story]);
    if (!view) throw new MatchNotFound(`There is no match ${matchId}.`);
    return view;
  }

  /** The same matches with the display names of their players, from one look-up. */
  async named<T extends MatchView>(matches: readonly T[]): Promise<T[]> {
    const ids = new Set(matches.flatMap(({ players }) => players.map(({ playerId }) => playerId)));
    if (ids.size === 0) return [...matches];
    const names = await this.ledger.names([...ids]);
    return matches.map((match) => ({
      ...match,
      players: match.players.map((player) => {
        const name = names.get(player.playerId);
        return name === undefined ? player : { ...player, name };
      }),
    }));
  }

  async page(query: MatchQuery): Promise<MatchPage> {
    const { stories, next } = await this.history.page(query);
    return { matches: await this.withChanges(stories), next: writeCursor(next, timeOf(query)) };
  }

  /** The matches of a player, in the form that they may see. */
  async ofPlayer(playerId: string, limit: number, cursor: MatchQuery['cursor']): Promise<MatchPage> {
    const { stories, next } = await this.history.ofPlayer(playerId, limit, cursor);
    return { matches: stories.map((story) => seenBy(playerId, story)), next: writeCursor(next, 'formed') };
  }

  private async withChanges(stories: readonly MatchStory[]): Promise<MatchView[]> {
    const rated = stories.filter((story) => story.state === 'rated').map((story) => story.matchId);
    const changes = rated.length === 0 ? [] : await this.ledger.changes(rated);
    const byPlayer = new Map(changes.map((change) => [`${change.matchId} ${change.playerId}`, change]));
    return stories.map((story) => viewOf(story, (playerId) => byPlayer.get(`${story.matchId} ${playerId}`)));
  }
}

function viewOf(
  { closeMessages, whyMessages, serverWhy, played, ...story }: MatchStory,
  changeOf: (playerId: string) => LedgerRow | undefined,
): MatchView {
  return {
    ...story,
    closeReasonMessages: viewsOf(closeMessages),
    // A record of an earlier format has no reliable content.
    split: storedSplit.parse(story.split),
    whyMessages: viewsOf(whyMessages),
    serverWhy: serverWhy ? textOf(serverWhy) || null : null,
    serverWhyMessages: viewsOf(serverWhy),
    scores: played?.scores ? [...played.scores] : null,
    balance: story.balance.map(({ moves, ...order }) => ({
      ...rendered(order),
      moves: moves.map((move) => rendered(move)),
    })),
    players: story.players.map((player) => {
      const { playerId, team, ticketId, waitedMs, role, joinedAt, backfillId, leftAt, booster } = player;
      const { mu, sigma } = player;
      const change = changeOf(playerId);
      const stats = { ...own(played?.facts, playerId), ...own(played?.stats, playerId) };
      return {
        playerId,
        team,
        ticketId,
        waitedMs,
        role,
        booster: booster ? { division: booster.division, higher: booster.higher } : undefined,
        joinedAt,
        backfillId,
        leftAt,
        level: mu,
        before: change?.before ?? { mu, sigma },
        after: change?.after ?? null,
        stats: Object.keys(stats).length > 0 ? stats : undefined,
      };
    }),
  };
}

/** In the contract's form: with copied lists, and without empty fields. */
function rendered<T extends Pick<SentOrder, 'why' | 'whyMessages'>>({
  whyMessages,
  ...rest
}: T): Omit<T, 'whyMessages'> & { whyMessages?: MessageView[] } {
  return {
    ...rest,
    ...(whyMessages
      ? { whyMessages: whyMessages.map((each) => ({ ...each, params: { ...each.params } })) }
      : {}),
  };
}

/** A match in the form for its players: who, where and why. Numbers, and the tickets of others, are for operators. */
function seenBy(viewer: string, story: MatchStory): MatchView {
  const { why, messages } = openToPlayers(story.why, story.whyMessages);
  const view = viewOf({ ...story, why, whyMessages: messages }, () => undefined);
  const players = view.players.map(({ stats, ...player }) => ({
    ...player,
    stats: player.playerId === viewer ? stats : undefined,
    ticketId: player.playerId === viewer ? player.ticketId : null,
    level: null,
    before: null,
    after: null,
  }));
  return { ...view, split: null, traceId: null, players };
}

/**
 * The time that a cursor refers to: when the match was formed, or when it ended. A cursor of one is invalid for the other.
 */
type Time = 'formed' | 'over';
const mark: Readonly<Record<Time, string>> = { formed: '', over: 'o' };

/** The time by which a list is ordered. */
export function timeOf({ from, to }: Pick<MatchQuery, 'from' | 'to'>): Time {
  return from === undefined && to === undefined ? 'formed' : 'over';
}

function writeCursor(next: MatchList['next'], time: Time): string | null {
  return next && `${mark[time]}${next.at}.${next.matchId}`;
}

/** @returns the start of a page, or undefined when the cursor is invalid for a list by that time */
export function readCursor(cursor: string, time: Time): MatchQuery['cursor'] {
  // Reported matches may be older than 1970; more digits than these are no date that the store accepts.
  const [, kind, at, matchId] = /^(o?)(-?\d{1,14})\.([a-z]{2,4}_[A-Za-z0-9_-]{8,64})$/.exec(cursor) ?? [];
  const isValid = kind === mark[time] && at !== undefined && matchId !== undefined;
  return isValid ? { at: Number(at), matchId } : undefined;
}
