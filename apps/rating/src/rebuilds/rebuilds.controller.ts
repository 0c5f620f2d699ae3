import type { RebuildView } from '@muster/contracts';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { rebuildView } from './rebuild.view.js';
import { Rebuilds } from './rebuilds.js';

@Controller()
export class RebuildsController {
  constructor(@Inject(Rebuilds) private readonly rebuilds: Rebuilds) {}

  @Endpoint('rebuildPool')
  async rebuild(@Sent() { params: { pool }, body }: Sent<'rebuildPool'>): Promise<RebuildView> {
    return rebuildView(await this.rebuilds.request(pool, body));
  }

  @Endpoint('listRebuilds')
  async list(@Sent() { params: { pool } }: Sent<'listRebuilds'>): Promise<{ rebuilds: RebuildView[] }> {
    return { rebuilds: (await this.rebuilds.list(pool)).map(rebuildView) };
  }
}
