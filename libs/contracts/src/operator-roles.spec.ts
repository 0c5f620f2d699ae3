import { expect, it } from 'vitest';
import { mayAct, operatorRoles } from './operator-roles.js';

it('each role may do what those before it may, and no more', () => {
  const may = (role: (typeof operatorRoles)[number]) => operatorRoles.filter((least) => mayAct(role, least));
  expect(may('viewer')).toEqual(['viewer']);
  expect(may('support')).toEqual(['viewer', 'support']);
  expect(may('operator')).toEqual(['viewer', 'support', 'operator']);
  expect(may('admin')).toEqual(['viewer', 'support', 'operator', 'admin']);
});
