import type { SeasonPreview, SeasonStandings, SeasonView } from '@muster/contracts';
import { actorOf, Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { SeasonPreviews } from './season-preview.js';
import { seasonView, standingView } from './season.view.js';
import { Names } from '../names/names.js';
import { Seasons } from './seasons.js';

@Controller()
export class SeasonsController {
  constructor(
    @Inject(Seasons) private readonly seasons: Seasons,
    @Inject(SeasonPreviews) private readonly previews: SeasonPreviews,
    @Inject(Names) private readonly names: Names,
  ) {}

  @Endpoint('listSeasons')
  async list(@Sent() { params: { pool }, who }: Sent<'listSeasons'>): Promise<{ seasons: SeasonView[] }> {
    return { seasons: (await this.seasons.list(pool)).map((season) => seasonView(season, who)) };
  }

  @Endpoint('previewSeason')
  preview(@Sent() { params: { pool }, body: { rules } }: Sent<'previewSeason'>): Promise<SeasonPreview> {
    return this.previews.run(pool, rules);
  }

  @Endpoint('beginSeason')
  async begin(@Sent() { params: { pool, number }, body, who }: Sent<'beginSeason'>): Promise<SeasonView> {
    return seasonView(await this.seasons.begin(pool, number, body, actorOf(who)), who);
  }

  @Endpoint('withdrawSeason')
  async withdraw(@Sent() { params: { pool, number } }: Sent<'withdrawSeason'>): Promise<{ withdrawn: true }> {
    await this.seasons.withdraw(pool, number);
    return { withdrawn: true };
  }

  @Endpoint('readSeasonStandings')
  async standings(
    @Sent() { params: { pool, number }, query: page, who }: Sent<'readSeasonStandings'>,
  ): Promise<SeasonStandings> {
    const found = await this.seasons.standings(pool, number, page);
    const names = await this.names.of(found.standings.map(({ playerId }) => playerId));
    return {
      season: seasonView(found.season, who),
      standings: found.standings.flatMap(
        (standing) => standingView(standing, who, names.get(standing.playerId) ?? null) ?? [],
      ),
    };
  }
}
