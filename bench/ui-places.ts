/** Every page of Sigma, where it is, and what is there when it can be used. */
import type { UiCell } from "./ui-cell.ts";

export interface Place {
  /** Stands in the names of figures and pictures. */
  readonly name: string;
  readonly path: string;
  /** Something that the cell said, or that a person types into: not what stands there while the page waits. */
  readonly ready: string;
}

const ROWS = "tbody tr:nth-child(10)";

export const placesOf = ({ machine, job, task }: UiCell): readonly Place[] => [
  { name: "overview", path: "/", ready: '.map canvas:not([aria-label^="0 "])' },
  { name: "jobs", path: "/jobs", ready: ROWS },
  { name: "job", path: `/jobs/${job}`, ready: '[aria-label="tasks"] tbody tr' },
  { name: "tasks", path: "/tasks", ready: ROWS },
  { name: "task", path: `/tasks/${task}`, ready: '[aria-label="Events"]' },
  { name: "machines", path: "/machines", ready: ROWS },
  { name: "machine", path: `/machines/${machine}`, ready: ".machine .box" },
  { name: "allocs", path: "/jobs?kind=alloc", ready: "tbody tr, .empty" },
  { name: "quota", path: "/quota", ready: "tbody tr:nth-child(3)" },
  { name: "schedulers", path: "/schedulers", ready: '[aria-label="schedulers"]' },
  { name: "frameworks", path: "/frameworks", ready: '[aria-label="frameworks"], .empty' },
  { name: "events", path: "/events", ready: ".events li" },
  { name: "sql", path: "/sql", ready: '[aria-label="Question in SQL"]' },
];
