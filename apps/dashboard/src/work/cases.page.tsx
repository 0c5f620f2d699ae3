import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function CasesPage(): ReactElement {
  return <Page title="Cases">…</Page>;
}
