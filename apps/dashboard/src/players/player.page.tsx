import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function PlayerPage(): ReactElement {
  return <Page title="Player">…</Page>;
}
