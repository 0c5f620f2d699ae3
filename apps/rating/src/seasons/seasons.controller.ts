import {
  ArchivedSeasonParams,
  BeginSeason,
  PageOfStandings,
  PoolParams,
  PreviewSeason,
  SeasonParams,
  type SeasonPreview,
  type SeasonStandings,
  type SeasonView,
} from '@muster/contracts';
import { Endpoint, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { SeasonPreviews } from './season-preview.js';
import { seasonView, standingView } from './season.view.js';
import { Names } from '../names/names.js';
import { Seasons } from './seasons.js';

type Named = z.infer<typeof PoolParams>;
type Numbered = z.infer<typeof SeasonParams>;

@Controller()
export class SeasonsController {
  constructor(
    @Inject(Seasons) private readonly seasons: Seasons,
    @Inject(SeasonPreviews) private readonly previews: SeasonPreviews,
    @Inject(Names) private readonly names: Names,
  ) {}

  @Endpoint('listSeasons')
  async list(@Param({ schema: PoolParams }) { pool }: Named): Promise<{ seasons: SeasonView[] }> {
    return { seasons: (await this.seasons.list(pool)).map(seasonView) };
  }

  @Endpoint('previewSeason')
  preview(
    @Param({ schema: PoolParams }) { pool }: Named,
    @Body({ schema: PreviewSeason }) { rules }: PreviewSeason,
  ): Promise<SeasonPreview> {
    return this.previews.run(pool, rules);
  }

  @Endpoint('beginSeason')
  async begin(
    @Param({ schema: SeasonParams }) { pool, number }: Numbered,
    @Body({ schema: BeginSeason }) body: BeginSeason,
    @Who() who: Identity,
  ): Promise<SeasonView> {
    return seasonView(await this.seasons.begin(pool, number, body, who.kind));
  }

  @Endpoint('withdrawSeason')
  async withdraw(@Param({ schema: SeasonParams }) { pool, number }: Numbered): Promise<{ withdrawn: true }> {
    await this.seasons.withdraw(pool, number);
    return { withdrawn: true };
  }

  @Endpoint('readSeasonStandings')
  async standings(
    @Param({ schema: ArchivedSeasonParams }) { pool, number }: z.infer<typeof ArchivedSeasonParams>,
    @Query({ schema: PageOfStandings }) page: z.infer<typeof PageOfStandings>,
    @Who() who: Identity,
  ): Promise<SeasonStandings> {
    const found = await this.seasons.standings(pool, number, page);
    const names = await this.names.of(found.standings.map(({ playerId }) => playerId));
    return {
      season: seasonView(found.season),
      standings: found.standings.flatMap(
        (standing) => standingView(standing, who, names.get(standing.playerId) ?? null) ?? [],
      ),
    };
  }
}
