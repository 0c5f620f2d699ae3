import { PoolParams, RebuildPool, type RebuildView } from '@muster/contracts';
import { Endpoint } from '@muster/platform';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { rebuildView } from './rebuild.view.js';
import { Rebuilds } from './rebuilds.js';

type Named = z.infer<typeof PoolParams>;

@Controller()
export class RebuildsController {
  constructor(@Inject(Rebuilds) private readonly rebuilds: Rebuilds) {}

  @Endpoint('rebuildPool')
  async rebuild(
    @Param({ schema: PoolParams }) { pool }: Named,
    @Body({ schema: RebuildPool }) body: RebuildPool,
  ): Promise<RebuildView> {
    return rebuildView(await this.rebuilds.request(pool, body));
  }

  @Endpoint('listRebuilds')
  async list(@Param({ schema: PoolParams }) { pool }: Named): Promise<{ rebuilds: RebuildView[] }> {
    return { rebuilds: (await this.rebuilds.list(pool)).map(rebuildView) };
  }
}
