import type { MatchView } from '@muster/contracts';
import { Endpoint, InvalidRequest, playerOf, Sent } from '@muster/platform';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { csvHead, csvRows } from './export-rows.js';
import type { MatchQuery } from './match-places.store.js';
import { MatchStories, readCursor, timeOf, type MatchPage } from './match-stories.js';

function cursorOf(
  { cursor }: { cursor?: string | undefined },
  time: 'formed' | 'over',
): MatchQuery['cursor'] {
  const at = cursor === undefined ? undefined : readCursor(cursor, time);
  if (cursor !== undefined && !at)
    throw new InvalidRequest('`cursor` must be the `next` of an earlier page of the same list.');
  return at;
}

@Controller()
export class MatchesController {
  constructor(@Inject(MatchStories) private readonly stories: MatchStories) {}

  @Endpoint('listMatches')
  async list(@Sent() { query }: Sent<'listMatches'>): Promise<MatchPage> {
    return this.named(await this.stories.page({ ...query, cursor: cursorOf(query, timeOf(query)) }));
  }

  @Endpoint('myMatches')
  async mine(@Sent() { query, who }: Sent<'myMatches'>): Promise<MatchPage> {
    return this.named(await this.stories.ofPlayer(playerOf(who), query.limit, cursorOf(query, 'formed')));
  }

  @Endpoint('exportMatches')
  async export(
    @Sent() { query: { format, ...which } }: Sent<'exportMatches'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
    await reply.header('content-type', type).send(Readable.from(this.lines(format, which)));
  }

  @Endpoint('readMatch')
  async read(@Sent() { params: { matchId }, who }: Sent<'readMatch'>): Promise<MatchView> {
    const match = await this.stories.read(matchId, who.kind === 'operator' ? null : playerOf(who));
    const [named = match] = await this.stories.named([match]);
    return named;
  }

  private async named({ matches, next }: MatchPage): Promise<MatchPage> {
    return { matches: await this.stories.named(matches), next };
  }

  private async *lines(
    format: 'csv' | 'jsonl',
    which: Omit<MatchQuery, 'limit' | 'order' | 'cursor'>,
  ): AsyncGenerator<string> {
    if (format === 'csv') yield csvHead;
    let next: string | null = null;
    do {
      const page: MatchPage = await this.stories.page({
        ...which,
        limit: 200,
        order: 'oldest',
        cursor: next === null ? undefined : readCursor(next, timeOf(which)),
      });
      for (const match of page.matches)
        yield format === 'csv' ? csvRows(match) : `${JSON.stringify(match)}\n`;
      next = page.next;
    } while (next !== null);
  }
}
