import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function PoolPage(): ReactElement {
  return <Page title="Pool">…</Page>;
}
