// The tables that a series of migrations makes, as far as the rules need to know them.
import { lastName, valuesIn } from './statements.mjs';

/**
 * @typedef {object} Table
 * @property {boolean} isNew the release before does not have it
 * @property {Map<string, { isNew: boolean, notNull: boolean, hasDefault: boolean }>} columns
 * @property {Map<string, { isNew: boolean, columns: string[], notNull: string | null, validated: boolean, unique: boolean, migration: string }>} constraints
 */

/** @returns {{ tables: Map<string, Table>, indexes: Map<string, { table: string, isNew: boolean, unique: boolean, columns: string[] }>, functions: Map<string, { isNew: boolean }> }} */
export const emptyCatalogue = () => ({ tables: new Map(), indexes: new Map(), functions: new Map() });

/** The columns that an expression, an index or a constraint names. */
export function columnsIn(node) {
  const names = new Set();
  for (const [key, value] of valuesIn({ node })) {
    if (key === 'ColumnRef') names.add(lastName(value.fields));
    if (key === 'IndexElem' && value.name) names.add(value.name);
    if (key === 'keys' || key === 'fk_attrs') for (const each of value) names.add(each.String.sval);
  }
  return [...names].filter((name) => name !== '');
}

/** Whether a column's definition has a constraint of a kind, such as `CONSTR_NOTNULL`. */
export const has = (definition, ...kinds) =>
  (definition.constraints ?? []).some(({ Constraint: { contype } }) => kinds.includes(contype));

const isSerial = ({ typeName }) => /^(small|big)?serial/.test(lastName(typeName?.names ?? []));

/** The column of `CHECK (… IS NOT NULL)`, or null. */
const notNullOf = ({ contype, raw_expr: expression }) => {
  const test = contype === 'CONSTR_CHECK' ? expression?.NullTest : undefined;
  return test?.nulltesttype === 'IS_NOT_NULL' ? lastName(test.arg?.ColumnRef?.fields ?? []) : null;
};

function addColumn(table, definition, isNew, migration) {
  table.columns.set(definition.colname, {
    isNew,
    notNull: has(definition, 'CONSTR_NOTNULL', 'CONSTR_PRIMARY', 'CONSTR_IDENTITY') || isSerial(definition),
    hasDefault:
      has(definition, 'CONSTR_DEFAULT', 'CONSTR_IDENTITY', 'CONSTR_GENERATED') || isSerial(definition),
  });
  for (const { Constraint: each } of definition.constraints ?? [])
    if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_CHECK'].includes(each.contype))
      addConstraint(table, { keys: [{ String: { sval: definition.colname } }], ...each }, isNew, migration);
}

function addConstraint(table, constraint, isNew, migration) {
  table.constraints.set(constraint.conname ?? `${constraint.contype} ${table.constraints.size}`, {
    isNew,
    columns: columnsIn(constraint),
    notNull: notNullOf(constraint),
    validated: !constraint.skip_validation,
    unique: ['CONSTR_UNIQUE', 'CONSTR_PRIMARY'].includes(constraint.contype),
    migration,
  });
}

const changes = {
  AT_AddColumn: (table, { def }, isNew, migration) => addColumn(table, def.ColumnDef, isNew, migration),
  AT_DropColumn: (table, { name }) => table.columns.delete(name),
  AT_AddConstraint: (table, { def }, isNew, migration) =>
    addConstraint(table, def.Constraint, isNew, migration),
  AT_DropConstraint: (table, { name }) => table.constraints.delete(name),
  AT_ValidateConstraint: (table, { name }) => setOf(table.constraints, name, { validated: true }),
  AT_SetNotNull: (table, { name }) => setOf(table.columns, name, { notNull: true }),
  AT_DropNotNull: (table, { name }) => setOf(table.columns, name, { notNull: false }),
  AT_ColumnDefault: (table, { name, def }) => setOf(table.columns, name, { hasDefault: def !== undefined }),
};

function setOf(map, name, change) {
  const before = map.get(name);
  if (before) map.set(name, { ...before, ...change });
}

function rename(map, from, to) {
  const value = map.get(from);
  map.delete(from);
  if (value) map.set(to, value);
}

const statements = {
  CreateStmt: (catalogue, { relation, tableElts = [] }, isNew, migration) => {
    const table = { isNew, columns: new Map(), constraints: new Map() };
    for (const { ColumnDef, Constraint } of tableElts) {
      if (ColumnDef) addColumn(table, ColumnDef, isNew, migration);
      if (Constraint) addConstraint(table, Constraint, isNew, migration);
    }
    catalogue.tables.set(relation.relname, table);
  },
  AlterTableStmt: (catalogue, { relation, cmds }, isNew, migration) => {
    const table = catalogue.tables.get(relation.relname);
    for (const { AlterTableCmd: cmd } of cmds)
      if (table) changes[cmd.subtype]?.(table, cmd, isNew, migration);
  },
  IndexStmt: ({ indexes }, { idxname, relation, unique = false, indexParams }, isNew) =>
    indexes.set(idxname, { table: relation.relname, isNew, unique, columns: columnsIn(indexParams) }),
  CreateFunctionStmt: ({ functions }, { funcname }, isNew) => {
    const name = lastName(funcname);
    functions.set(name, { isNew: functions.get(name)?.isNew ?? isNew });
  },
  DropStmt: (catalogue, { removeType, objects }) => {
    for (const name of objects.map(nameOfObject)) {
      if (removeType === 'OBJECT_TABLE') catalogue.tables.delete(name);
      if (removeType === 'OBJECT_INDEX') catalogue.indexes.delete(name);
      if (removeType === 'OBJECT_FUNCTION') catalogue.functions.delete(name);
    }
  },
  RenameStmt: (catalogue, { renameType, relation, subname, newname }) => {
    const table = catalogue.tables.get(relation?.relname);
    if (renameType === 'OBJECT_TABLE') rename(catalogue.tables, relation.relname, newname);
    if (renameType === 'OBJECT_INDEX') rename(catalogue.indexes, relation.relname, newname);
    if (renameType === 'OBJECT_COLUMN' && table) rename(table.columns, subname, newname);
    if (renameType === 'OBJECT_TABCONSTRAINT' && table) rename(table.constraints, subname, newname);
  },
};

/** The name in a DROP: `public.match` is `match`, and of a trigger it is its own, not its table's. */
export const nameOfObject = ({ List, ObjectWithArgs, TypeName, String }) =>
  String?.sval ?? lastName(List?.items ?? ObjectWithArgs?.objname ?? TypeName?.names ?? []);

/** Applies a statement. @param isNew whether the release before does not have its migration */
export function apply(catalogue, { kind, node }, isNew, migration) {
  statements[kind]?.(catalogue, node, isNew, migration);
}
