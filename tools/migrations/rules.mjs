// What a migration may do while replicas of the release before run beside those of this one, and without holding a lock
// for long. Each rule returns sentences; docs/upgrades.md explains them.
import { columnsIn, has, nameOfObject } from './catalogue.mjs';
import { lastName, reasonWords, valuesIn } from './statements.mjs';

/** Functions whose value as a default is the same for all rows, so that no row is written. */
const stable = new Set(['now', 'current_setting', 'to_timestamp', 'array', 'jsonb_build_object']);

/** Statements that add, and change nothing that others use. */
const additive = new Set([
  'CommentStmt',
  'CreateEnumStmt',
  'CreateSeqStmt',
  'CreateStmt',
  'GrantRoleStmt',
  'SelectStmt',
]);

/** Changes of a table that neither take anything away nor scan it. */
const harmless = new Set(['AT_SetRelOptions', 'AT_ResetRelOptions', 'AT_SetStatistics', 'AT_SetStorage']);

const oneReleaseLater =
  'Stop using it in this release (@ignore in prisma/schema.prisma), and remove it in the next one under a comment `-- contract: reason`.';
const sayWhy = 'If that is safe beside the release before, say why in a comment `-- compatible: reason`.';
const sayUnused = 'If the release before does without it, say why in a comment `-- contract: reason`.';

/**
 * Checks a statement against the tables as they are before it.
 *
 * @param {{ kind: string, node: object, notes: Map<string, string> }} statement
 * @param {object} seen
 * @param {ReturnType<import('./catalogue.mjs').emptyCatalogue>} seen.catalogue
 * @param {{ version: string, tables: Record<string, string[]>, names: string[] }} seen.release what the release before uses
 * @param {boolean} seen.isAlone whether the migration has no other statement
 * @param {Set<string>} seen.altered tables that the migration altered before, whose locks it holds
 * @returns {string[]} a sentence for each violation
 */
export function violationsOf(statement, seen) {
  const { kind, node, notes } = statement;
  const short = [...notes].filter(([, reason]) => reason.split(/\s+/).filter(Boolean).length < reasonWords);
  if (short.length > 0)
    return short.map(
      ([note]) => `The comment \`-- ${note}:\` needs a reason of ${reasonWords} words or more.`,
    );
  const rule = rules[kind];
  if (rule || additive.has(kind) || writes[kind]) {
    const noted = { ...seen, notes };
    return [...(rule?.(node, noted) ?? []), ...keysWithin(node, noted), ...writesWithin(statement, noted)];
  }
  return [
    `${kind} is not known to be safe beside the release before: add a rule for it to tools/migrations/rules.mjs.`,
  ];
}

const isOld = ({ catalogue }, table) => catalogue.tables.get(table)?.isNew === false;
const isOldColumn = ({ catalogue }, table, name) =>
  catalogue.tables.get(table)?.columns.get(name)?.isNew === false;

/** May disturb the release before: no program can check that, so a person gives the reason. */
const disturbs = ({ notes }, what) => (notes.has('compatible') ? [] : [`${what} ${sayWhy}`]);

/**
 * Takes something away.
 *
 * @param used whether the release before uses it: then no comment allows it
 */
function removes({ notes, release }, what, used) {
  if (used) return [`${what}, which release ${release.version} uses. ${oneReleaseLater}`];
  return notes.has('contract') ? [] : [`${what}. ${sayUnused}`];
}

const usesTable = ({ release }, table) => Object.hasOwn(release.tables, table);
const usesColumn = (seen, table, column) =>
  usesTable(seen, table) && seen.release.tables[table].includes(column);
const usesName = ({ release }, name) => release.names.includes(name);

const changes = {
  AT_AddColumn(table, { def: { ColumnDef: definition } }) {
    const name = `${table}.${definition.colname}`;
    const fallback = definition.constraints?.find((each) => each.Constraint.contype === 'CONSTR_DEFAULT');
    const problems = [];
    if (has(definition, 'CONSTR_NOTNULL') && (!fallback || isNull(fallback)))
      problems.push(
        `The new column ${name} is NOT NULL without a default: the release before inserts rows without it. Give it a default, or leave NOT NULL out.`,
      );
    if (isVolatile(fallback?.Constraint.raw_expr))
      problems.push(
        `The default of the new column ${name} differs by row, so the table is rewritten under a lock. Add the column without it, and fill rows in batches.`,
      );
    if (has(definition, 'CONSTR_GENERATED', 'CONSTR_IDENTITY') || isSerial(definition))
      problems.push(
        `The new column ${name} is computed for every row, so the table is rewritten under a lock. Add a plain column, and fill rows in batches.`,
      );
    if (has(definition, 'CONSTR_PRIMARY', 'CONSTR_UNIQUE'))
      problems.push(
        `The key of the new column ${name} builds an index under a lock. CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own.`,
      );
    if (has(definition, 'CONSTR_CHECK') || (has(definition, 'CONSTR_FOREIGN') && fallback))
      problems.push(
        `The constraint of the new column ${name} scans the table under a lock. ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in a later migration.`,
      );
    return problems;
  },
  AT_DropColumn: (table, { name }, seen) =>
    isOldColumn(seen, table, name)
      ? removes(seen, `DROP COLUMN removes ${table}.${name}`, usesColumn(seen, table, name))
      : [],
  AT_AlterColumnType: (table, { name }, seen) =>
    isOldColumn(seen, table, name)
      ? removes(seen, `A new type for ${table}.${name} replaces the column`, usesColumn(seen, table, name))
      : [],
  AT_SetNotNull(table, { name }, { catalogue }) {
    const constraints = [...(catalogue.tables.get(table)?.constraints.values() ?? [])];
    if (constraints.some((each) => each.notNull === name && each.validated)) return [];
    return [
      `SET NOT NULL scans ${table} under a lock, and refuses what the release before may write to ${name}. First ADD CONSTRAINT … CHECK ("${name}" IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT in a migration of its own.`,
    ];
  },
  AT_DropNotNull: (table, { name }, seen) =>
    usesColumn(seen, table, name)
      ? disturbs(
          seen,
          `DROP NOT NULL lets ${table}.${name} be null, which the client of release ${seen.release.version} refuses to read.`,
        )
      : [],
  AT_ColumnDefault(table, { name, def }, seen) {
    const column = seen.catalogue.tables.get(table)?.columns.get(name);
    if (def !== undefined || column?.isNew || !column?.notNull) return [];
    return removes(
      seen,
      `DROP DEFAULT removes the default of ${table}.${name}`,
      usesColumn(seen, table, name),
    );
  },
  AT_AddConstraint(table, { def: { Constraint: constraint } }, seen) {
    const name = constraint.conname ?? 'without a name';
    const columns = columnsIn(constraint);
    const key = ['CONSTR_PRIMARY', 'CONSTR_UNIQUE', 'CONSTR_EXCLUSION'].includes(constraint.contype);
    const problems = [];
    if (key && !constraint.indexname)
      problems.push(
        `The constraint ${name} builds an index under a lock. CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own, then ADD CONSTRAINT … USING INDEX.`,
      );
    if (!key && !constraint.skip_validation)
      problems.push(
        `The constraint ${name} scans ${table} under a lock. Add it NOT VALID, and VALIDATE CONSTRAINT in a later migration.`,
      );
    if (columns.some((column) => isOldColumn(seen, table, column)))
      problems.push(
        ...disturbs(seen, `The constraint ${name} is on columns of ${table} that the release before writes.`),
      );
    return problems;
  },
  AT_DropConstraint(table, { name }, seen) {
    const constraint = seen.catalogue.tables.get(table)?.constraints.get(name);
    if (constraint?.isNew) return [];
    return removes(
      seen,
      `DROP CONSTRAINT removes ${name} of ${table}`,
      usesName(seen, name) || (constraint?.unique === true && usesKey(seen, table, constraint.columns)),
    );
  },
  AT_ValidateConstraint(table, { name }, { altered }) {
    return altered.has(table)
      ? [
          `VALIDATE CONSTRAINT ${name} scans ${table} while this migration holds a lock on it. Put it into a later migration.`,
        ]
      : [];
  },
};

const rules = {
  AlterTableStmt({ relation: { relname: table }, cmds }, seen) {
    if (!isOld(seen, table)) return [];
    const problems = cmds.flatMap(({ AlterTableCmd: cmd }) => {
      if (harmless.has(cmd.subtype)) return [];
      const rule = changes[cmd.subtype];
      if (!rule)
        return [
          `ALTER TABLE ${table} with ${cmd.subtype} is not known to be safe: add a rule for it to tools/migrations/rules.mjs.`,
        ];
      const others = cmds.some((each) => each.AlterTableCmd !== cmd);
      return rule(table, cmd, others ? { ...seen, altered: new Set([...seen.altered, table]) } : seen);
    });
    return problems;
  },
  IndexStmt({ idxname, relation: { relname: table }, concurrent, unique, indexParams }, seen) {
    if (concurrent && !seen.isAlone) return [notAlone('CREATE INDEX CONCURRENTLY')];
    if (!isOld(seen, table)) return [];
    const problems = [];
    if (!concurrent)
      problems.push(
        `CREATE INDEX ${idxname} blocks writes to ${table} while it is built. CREATE INDEX CONCURRENTLY in a migration of its own.`,
      );
    if (unique && columnsIn(indexParams).some((column) => isOldColumn(seen, table, column)))
      problems.push(
        ...disturbs(
          seen,
          `The unique index ${idxname} is on columns of ${table} that the release before writes.`,
        ),
      );
    return problems;
  },
  DropStmt({ removeType, objects, concurrent, behavior }, seen) {
    const what = removeType.replace('OBJECT_', '').toLowerCase();
    const problems = objects.flatMap((object) => {
      const name = nameOfObject(object);
      if (removeType === 'OBJECT_TABLE')
        return isOld(seen, name) ? removes(seen, `DROP TABLE removes ${name}`, usesTable(seen, name)) : [];
      if (removeType === 'OBJECT_INDEX') return dropIndex(name, concurrent, seen);
      if (removeType === 'OBJECT_FUNCTION' && seen.catalogue.functions.get(name)?.isNew) return [];
      return removes(seen, `DROP removes the ${what} ${name}`, usesName(seen, name));
    });
    if (behavior === 'DROP_CASCADE')
      problems.push('CASCADE removes what the migration does not name. Name each object.');
    return problems;
  },
  RenameStmt({ renameType, relation, subname, newname }, seen) {
    const table = relation?.relname;
    if (renameType === 'OBJECT_COLUMN')
      return isOldColumn(seen, table, subname)
        ? removes(seen, `RENAME takes ${table}.${subname} away`, usesColumn(seen, table, subname))
        : [];
    if (renameType === 'OBJECT_TABLE')
      return isOld(seen, table) ? removes(seen, `RENAME takes ${table} away`, usesTable(seen, table)) : [];
    const name = subname ?? table ?? newname;
    return removes(seen, `RENAME takes the name ${name} away`, usesName(seen, name));
  },
  CreateTrigStmt({ trigname, relation: { relname: table } }, seen) {
    return isOld(seen, table)
      ? disturbs(seen, `The trigger ${trigname} also fires for what the release before writes to ${table}.`)
      : [];
  },
  CreateFunctionStmt({ funcname, replace }, { catalogue, ...seen }) {
    const name = lastName(funcname);
    return replace && catalogue.functions.get(name)?.isNew === false
      ? disturbs(seen, `CREATE OR REPLACE FUNCTION ${name} also changes it for the release before.`)
      : [];
  },
  TruncateStmt: ({ relations }, seen) =>
    relations.flatMap(({ RangeVar: { relname: table } }) =>
      isOld(seen, table) ? [`TRUNCATE removes the rows of ${table}.`] : [],
    ),
  GrantStmt: ({ is_grant: isGrant }, seen) =>
    isGrant ? [] : removes(seen, 'REVOKE takes rights of the release before away', false),
  VariableSetStmt({ name, is_local: isLocal, args = [] }) {
    if (!isLocal) return [`SET ${name} outlives its migration: use SET LOCAL.`];
    const [value] = args.map(({ A_Const: each }) => each?.ival?.ival ?? each?.sval?.sval ?? 0);
    return name === 'lock_timeout' && /^0\D*$/.test(String(value))
      ? ['A migration without lock_timeout blocks all who come after it while it waits for a lock.']
      : [];
  },
  TransactionStmt: () => ['A migration is one transaction: leave BEGIN and COMMIT out.'],
  LockStmt: () => ['LOCK holds the table until the migration ends. Leave it out.'],
  ClusterStmt: () => ['CLUSTER and VACUUM FULL rewrite the table under a lock.'],
  VacuumStmt: () => ['VACUUM runs outside of migrations.'],
  ReindexStmt: ({ relation }) => [
    `REINDEX of ${relation?.relname ?? 'all'} blocks writes. Leave it to operators.`,
  ],
  dynamic: (_, seen) => disturbs(seen, 'EXECUTE hides its statement from this check.'),
};

function dropIndex(name, concurrent, seen) {
  const index = seen.catalogue.indexes.get(name);
  if (index?.isNew || (index && !isOld(seen, index.table))) return [];
  const problems = [];
  if (!concurrent)
    problems.push(
      `DROP INDEX ${name} waits for a lock that blocks all of its table. DROP INDEX CONCURRENTLY in a migration of its own.`,
    );
  else if (!seen.isAlone) problems.push(notAlone('DROP INDEX CONCURRENTLY'));
  const used = usesName(seen, name) || (index?.unique === true && usesKey(seen, index.table, index.columns));
  return [...problems, ...removes(seen, `DROP INDEX removes ${name}`, used)];
}

/** Whether the release before names these columns in an ON CONFLICT, which needs their unique index. */
function usesKey({ release }, table, columns) {
  const keys = Object.hasOwn(release.conflicts, table) ? release.conflicts[table] : [];
  return keys.some((key) => key.length === columns.length && key.every((column) => columns.includes(column)));
}

function writesRows(what, table, seen) {
  return isOld(seen, table)
    ? disturbs(
        seen,
        `${what} locks all rows of ${table} that it changes until the migration ends. Better let the service do it in batches.`,
      )
    : [];
}

/** Statements that write rows of their table: what they do to rows that are there, or null. */
const writes = {
  UpdateStmt: () => 'UPDATE',
  DeleteStmt: () => 'DELETE',
  InsertStmt: ({ onConflictClause: clause }) =>
    clause?.action === 'ONCONFLICT_UPDATE' ? 'INSERT … ON CONFLICT DO UPDATE' : null,
};

/** The writes of a statement, and of those in it: `WITH … AS (DELETE …) SELECT` writes as well. */
function writesWithin({ kind, node }, seen) {
  // A function's body is only stored.
  if (kind === 'CreateFunctionStmt') return [];
  return [...valuesIn({ [kind]: node })].flatMap(([key, value]) => {
    const what = writes[key]?.(value) ?? null;
    return what === null ? [] : writesRows(what, value.relation.relname, seen);
  });
}

/** A foreign key to a table of the release before locks it, and refuses changes of its rows. */
function keysWithin(node, seen) {
  return [...valuesIn(node)].flatMap(([key, value]) => {
    const table = key === 'Constraint' && value.contype === 'CONSTR_FOREIGN' ? value.pktable.relname : null;
    return table !== null && isOld(seen, table)
      ? disturbs(
          seen,
          `The foreign key ${value.conname ?? 'without a name'} blocks writes to ${table} until the migration ends, and refuses deletes there by the release before.`,
        )
      : [];
  });
}

const notAlone = (what) =>
  `${what} must be the only statement of its migration: several statements run in one transaction.`;

const isSerial = ({ typeName }) => /^(small|big)?serial/.test(lastName(typeName?.names ?? []));
const isNull = ({ Constraint: { raw_expr: expression } }) => expression?.A_Const?.isnull === true;

/** Whether an expression may differ from row to row. */
function isVolatile(expression) {
  for (const [key, value] of valuesIn({ expression }))
    if (key === 'FuncCall' && !stable.has(lastName(value.funcname))) return true;
  return false;
}
