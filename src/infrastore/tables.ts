/** The tables that are kept: their columns and how each is written. What people ask are views on these (views.ts). Nothing that a veil hides is in them. */

/** `time`: milliseconds in a row, a timestamp in the file. `count`: a whole number. */
export type ColumnType = "text" | "number" | "count" | "time" | "flag";

export type Value = string | number | boolean | null;
export type Row = readonly Value[];

export interface Table {
  /** In the order of a row. New ones come last: files that were written before have nothing in them. */
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
}

export const TABLES = {
  events: {
    columns: [
      ["position", "count"],
      ["number", "count"],
      ["time", "time"],
      ["kind", "text"],
      ["subject", "text"],
      ["job", "text"],
      ["task_index", "count"],
      ["instance", "text"],
      ["machine", "text"],
      ["from_state", "text"],
      ["to_state", "text"],
      ["cause", "text"],
      ["actor", "text"],
      ["actor_kind", "text"],
      ["preemptor", "text"],
      ["detail", "text"],
    ],
  },
  jobs: {
    columns: [
      ["position", "count"],
      ["time", "time"],
      ["job", "text"],
      ["kind", "text"],
      ["priority", "count"],
      ["task_count", "count"],
      ["submitted", "time"],
      ["generation", "count"],
      ["held", "flag"],
      ["killed", "flag"],
      ["cpu", "number"],
      ["ram_bytes", "number"],
      ["disk_bytes", "number"],
      ["scheduler", "text"],
    ],
  },
  machines: {
    columns: [
      ["position", "count"],
      ["time", "time"],
      ["machine", "text"],
      ["reachable", "flag"],
      ["draining", "flag"],
      ["cpu", "number"],
      ["ram_bytes", "number"],
      ["disk_bytes", "number"],
      ["rack", "text"],
      ["power_domain", "text"],
    ],
  },
  quota: {
    columns: [
      ["position", "count"],
      ["time", "time"],
      ["user_name", "text"],
      ["band", "text"],
      ["cpu", "number"],
      ["ram_bytes", "number"],
      ["disk_bytes", "number"],
      ["unlimited", "flag"],
      ["until", "time"],
    ],
  },
  usage: {
    columns: [
      ["start", "time"],
      ["seconds", "number"],
      ["job", "text"],
      ["task_index", "count"],
      ["machine", "text"],
      ["priority", "count"],
      ["cpu", "number"],
      ["cpu_max", "number"],
      ["ram_bytes", "number"],
      ["ram_bytes_max", "number"],
      ["cpu_limit", "number"],
      ["ram_bytes_limit", "number"],
      ["disk_read_bytes", "number"],
      ["disk_written_bytes", "number"],
    ],
  },
  gaps: {
    columns: [
      ["after_position", "count"],
      ["up_to_position", "count"],
      ["time", "time"],
    ],
  },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
export const columnsOf = (table: TableName): Table["columns"] => TABLES[table].columns;

/** Of what is nobody's: machines, the cell itself. No user can have this name. */
export const CELL_OWNER = "_cell";

/** A row, and where it belongs. */
export interface Placed {
  readonly table: TableName;
  readonly owner: string;
  /** The day of this moment, UTC. */
  readonly timeMs: number;
  readonly row: Row;
}
