import { endpoints, operatorRoles, roleWords, type Endpoint } from '@muster/contracts';
import { describe, expect, it } from 'vitest';

const others = ['player', 'server', 'fleet'] as const;

const intro = `# Calls and roles

Who may make each call. Operators have a role, by their key or their token; each role may do what those before it may:

${operatorRoles.map((role) => `- \`${role}\`: ${roleWords[role]}`).join('\n')}

\`player\` is a token of the game's login, \`server\` the token of a registered server, \`fleet\` the server key. A caller who may not make a
call gets 403; without a credential it is 401. Each call of an operator that changes something is a row of the
[audit log](operations.md#the-audit-log).
`;

function rowOf({ method, path, callers, role }: Endpoint): string {
  const known = callers.includes('anyone')
    ? 'everybody'
    : others.filter((each) => callers.includes(each)).join(', ');
  return `| \`${method} ${path}\` | ${role ?? ''} | ${known} |`;
}

function page(): string {
  return [
    intro,
    '<!-- prettier-ignore -->',
    '| call | least role | others |',
    '| --- | --- | --- |',
    ...Object.values<Endpoint>(endpoints)
      .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
      .map(rowOf),
    '',
  ].join('\n');
}

describe('docs/roles.md', () => {
  it('has who may make each call (vitest -u regenerates it)', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/roles.md');
  });
});
