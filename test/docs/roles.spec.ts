import { endpoints, mayAct, operatorRoles, roleWords, type Endpoint } from '@muster/contracts';
import { describe, expect, it } from 'vitest';

const others = ['player', 'server', 'fleet'] as const;

const intro = `# Calls and roles

Who may make each call. Operators have a role, by their key or their token; each role may do what those before it may:

${operatorRoles.map((role) => `- \`${role}\`: ${roleWords[role]}`).join('\n')}

\`player\` is a token of the game's login, \`server\` the token of a registered server, \`fleet\` the server key. A caller who may not make a
call gets 403; without a credential it is 401. Calls that change something on behalf of an operator are marked: each is a row of
the [audit log](operations.md#the-audit-log).
`;

function rowOf([name, { method, path, callers, role, stores }]: [string, Endpoint]): string {
  const isForAll = callers.includes('anyone');
  const tick = (may: boolean): string => (may || isForAll ? '✓' : '');
  const isChange = method !== 'GET' && stores !== false && callers.includes('operator');
  const cells = [
    `\`${method} ${path}\``,
    `\`${name}\``,
    isChange ? '✓' : '',
    ...operatorRoles.map((each) => tick(role !== undefined && mayAct(each, role))),
    ...others.map((each) => tick(callers.includes(each))),
  ];
  return `| ${cells.join(' | ')} |`;
}

function page(): string {
  const head = ['call', 'operation', 'audited', ...operatorRoles, ...others];
  return [
    intro,
    '<!-- prettier-ignore -->',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => ' --- ').join('|')}|`,
    ...Object.entries<Endpoint>(endpoints)
      .toSorted(([, a], [, b]) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
      .map(rowOf),
    '',
  ].join('\n');
}

describe('docs/roles.md', () => {
  it('has who may make each call (vitest -u regenerates it)', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/roles.md');
  });
});
