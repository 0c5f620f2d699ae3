import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function PlayersPage(): ReactElement {
  return <Page title="Players">…</Page>;
}
