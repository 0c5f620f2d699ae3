import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function PoolsPage(): ReactElement {
  return <Page title="Pools">…</Page>;
}
