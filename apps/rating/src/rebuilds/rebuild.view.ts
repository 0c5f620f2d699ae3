import { viewsOf, type RebuildView } from '@muster/contracts';
import type { Rebuild } from '@muster/domain';
import { Pools } from '../pools/pools.js';

/** Rebuilds in the form of the API. */
export class RebuildViews {
  constructor(private readonly pools: Pools) {}

  async view({ rules, refit: _refit, messages, ...rebuild }: Rebuild): Promise<RebuildView> {
    const model = rules?.model ?? rebuild.model ?? (await this.pools.named(rebuild.pool)).rules.model;
    const reasonMessages = viewsOf(messages);
    return { ...rebuild, ...(reasonMessages ? { reasonMessages } : {}), model };
  }
}
