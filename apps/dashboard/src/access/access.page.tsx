import type { ReactElement } from 'react';
import { useMay, useSession } from '../session/session.js';
import { Page } from '../ui/page.js';
import { PageTabs } from '../ui/page-tabs.js';
import { Empty } from '../ui/states.js';
import { Audit } from './audit.js';
import { Keys } from './keys.js';

const tabs = [
  { name: 'audit', label: 'Audit log', content: () => <Audit /> },
  { name: 'keys', label: 'Keys', content: () => <Keys /> },
];

/** Who may do what here, and what they did. */
export function AccessPage(): ReactElement {
  const { who } = useSession();
  const may = useMay();
  return (
    <Page title="Keys and audit">
      {may('listAudit') ? (
        <PageTabs tabs={tabs} />
      ) : (
        <Empty>Keys and the audit log need the role admin. Your role is {who.role}.</Empty>
      )}
    </Page>
  );
}
