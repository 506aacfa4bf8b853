/** How far an evaluation may go. At a limit it ends with a problem that says which one; no program can catch that. */

export interface Bounds {
  /** Nodes visited, with a charge for long work inside one. */
  readonly steps: number;
  /** Nodes, calls and thunks inside each other. The host's stack must hold them, at most some 600 bytes each. */
  readonly depth: number;
  /** Characters of one text, and of all texts made. */
  readonly text: number;
  readonly textTotal: number;
  /** Elements of lists, entries of tuples and layers of inheritance made. */
  readonly elements: number;
  /** Layers of one tuple. */
  readonly layers: number;
}

export const DEFAULT_BOUNDS: Bounds = {
  steps: 3_000_000,
  depth: 800,
  text: 1 << 20,
  textTotal: 1 << 25,
  elements: 500_000,
  layers: 200,
};

/** Files of one evaluation, and characters of one and of all of them. */
export const FILES_MAX = 500;
export const FILE_CHARACTERS_MAX = 1 << 21;
export const FILES_CHARACTERS_MAX = 1 << 23;

/** How deep lists and tuples of a result nest. */
export const RESULT_DEPTH_MAX = 64;
