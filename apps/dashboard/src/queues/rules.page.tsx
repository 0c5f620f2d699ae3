import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';

export function RulesPage(): ReactElement {
  return <Page title="Rules">…</Page>;
}
