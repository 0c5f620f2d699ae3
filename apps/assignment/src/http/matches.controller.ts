import { ExportMatches, MatchParams, PageOfMatches, type MatchView } from '@muster/contracts';
import { Endpoint, InvalidRequest, playerOf, Who, type Identity } from '@muster/platform';
import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { csvHead, csvRows } from '../use-cases/export-rows.js';
import { MatchStories, readCursor } from '../use-cases/match-stories.js';

@Controller()
export class MatchesController {
  constructor(@Inject(MatchStories) private readonly stories: MatchStories) {}

  @Endpoint('listMatches')
  list(
    @Query({ schema: PageOfMatches }) query: PageOfMatches,
  ): Promise<{ matches: MatchView[]; next: string | null }> {
    const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
    if (query.cursor !== undefined && !cursor)
      throw new InvalidRequest('`cursor` must be the `next` of an earlier page.');
    return this.stories.page({ ...query, cursor });
  }

  @Endpoint('exportMatches')
  async export(
    @Query({ schema: ExportMatches }) { format, pool }: z.infer<typeof ExportMatches>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
    await reply.header('content-type', type).send(Readable.from(this.lines(format, pool)));
  }

  @Endpoint('readMatch')
  read(
    @Param({ schema: MatchParams }) { matchId }: z.infer<typeof MatchParams>,
    @Who() who: Identity,
  ): Promise<MatchView> {
    return this.stories.read(matchId, who.kind === 'operator' ? null : playerOf(who));
  }

  private async *lines(format: 'csv' | 'jsonl', pool: string | undefined): AsyncGenerator<string> {
    if (format === 'csv') yield csvHead;
    let next: string | null = null;
    do {
      const page: { matches: MatchView[]; next: string | null } = await this.stories.page({
        limit: 200,
        order: 'oldest',
        pool,
        cursor: next === null ? undefined : readCursor(next),
      });
      for (const match of page.matches)
        yield format === 'csv' ? csvRows(match) : `${JSON.stringify(match)}\n`;
      next = page.next;
    } while (next !== null);
  }
}
