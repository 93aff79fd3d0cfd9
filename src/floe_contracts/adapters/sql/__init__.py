"""SQL read as values by sqlglot, and dbt's Jinja by a sandbox, both in a child process with limits.

How to ask:

    with SqlProcess() as process:                       # started at the first question, ended with the block
        answer = process.read_query(SqlText(text, "duckdb"))                     # plain SQL
        answer = process.read_query(SqlText(text, "duckdb", template=DbtContext(adapter="duckdb", macros={...})))
        answers = process.read_queries(SqlText(text, "postgres"))                # what each of several statements reads
        answer = process.read_statements(SqlText(text, "postgres"))              # DDL, several statements

`answer` is a `Gap(reason, line)`, or for `read_query` a `definitions.query.Query`:

(a) output columns: `query.outputs`, each an `OutputColumn` (name, quoted, line, type, origin), a `StarOutput` (all
    columns of another table, but for some) or an `UnknownOutput` (reason, line). `resolve_query(query, columns_of,
    path)` turns them into a `Definition`, asking `columns_of(table)` where a `*` or a type leads to
    another table.
(b) columns read: `query.reads`, each a `ColumnRead(tables, column, line)`; column None means all of them (a `*` that
    reaches the output); several tables where the SQL does not say which one has the column.

A table is a text: `ref:model`, `ref:package.model`, `ref:model.v2`, `source:name.table`, `this`, or the name in the
SQL with dots (`db.schema.orders`); one that holds a hole is left out. Lines are those of the given
text, also through Jinja.
"""
