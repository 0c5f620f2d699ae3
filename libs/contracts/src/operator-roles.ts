/** Roles of operators. Each one may do what those before it may. */
export const operatorRoles = ['viewer', 'support', 'operator', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Whether a role may make a call that demands `least`. */
export function mayAct(role: OperatorRole, least: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
}

/** What each role is for, in the words of the documents. */
export const roleWords: Readonly<Record<OperatorRole, string>> = {
  viewer: 'Reads everything but keys and the audit log, and computes what stores nothing.',
  support: 'Helps players: tickets, matches without a result, voids, penalties, cases, boosters.',
  operator: 'Runs the system: servers, rules, pools, seasons, ratings, results, dead letters.',
  admin: 'Keys and the audit log.',
};
