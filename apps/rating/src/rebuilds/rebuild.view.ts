import { viewsOf, type RebuildView } from '@muster/contracts';
import type { ModelledRebuild } from './rebuilds.js';

/** A rebuild in the form of the API. */
export function rebuildView({
  rules: _rules,
  refit: _refit,
  messages,
  ...rebuild
}: ModelledRebuild): RebuildView {
  const reasonMessages = viewsOf(messages);
  return { ...rebuild, ...(reasonMessages ? { reasonMessages } : {}) };
}
