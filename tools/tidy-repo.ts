/** Rules 3, 5, 6 and 7: room cards, what no file of the repository may hold, packages, the table of features, and pages that name files. */
import { posix } from "node:path";
import { type Problem, problemAt, type Repository, roomName } from "./tidy-rooms.ts";

export const CARD_LINES_MAX = 20;

export function checkRepository(repository: Repository): readonly Problem[] {
  const { files } = repository;
  return [
    ...checkCards(repository),
    ...checkTexts(repository),
    ...checkPackages(files),
    ...checkFeatures(files),
    ...checkPages(files),
    ...checkNames(files),
  ];
}

/** Rule 3: every folder of src/ is in the table and has a card whose doors exist. */
function checkCards(repository: Repository): readonly Problem[] {
  const problems: Problem[] = [];
  const folders = new Set<string>();
  for (const [path, text] of repository.files) {
    if (!path.startsWith("src/")) continue;
    const name = roomName(path);
    if (name !== undefined) folders.add(name);
    else problems.push(problemAt({ path, text }, 0, "This file stands in no room; move it into the room that owns the thing"));
  }
  for (const name of folders) {
    if (!repository.rooms.some((room) => room.name === name)) {
      const message = `Room "${name}" is not in the table; add it to ROOMS in tools/tidy.ts with a decision note, or use a room that is there`;
      problems.push({ path: `src/${name}`, line: 1, column: 1, message });
    } else problems.push(...checkCard(repository, name));
  }
  return problems;
}

function checkCard(repository: Repository, name: string): readonly Problem[] {
  const path = `src/${name}/README.md`;
  const text = repository.files.get(path);
  if (text === undefined) {
    const message = `Room "${name}" has no card; write ten lines: what it is, its doors, what it never does, how to test it`;
    return [{ path, line: 1, column: 1, message }];
  }
  const problems: Problem[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (lines > CARD_LINES_MAX) {
    const message = `This card has ${lines} lines, more than ${CARD_LINES_MAX}; move the rest to docs/ or to SPEC.md`;
    problems.push({ path, line: CARD_LINES_MAX + 1, column: 1, message });
  }
  const doors = [...text.matchAll(/(?<![\w./*<>-])[\w-][\w./-]*\.ts(?![\w-])/g)];
  if (doors.length === 0) problems.push(problemAt({ path, text }, 0, "This card names no door; name the files that other rooms import"));
  for (const door of doors) {
    if (doorExists(repository, name, door[0])) continue;
    problems.push(
      problemAt({ path, text }, door.index, `Door "${door[0]}" does not exist in src/${name}; name the file that has the thing now`),
    );
  }
  return problems;
}

/** A bare name is a file anywhere in the room; a path is seen from the room, from src/ or from the root. */
function doorExists(repository: Repository, room: string, door: string): boolean {
  const { files } = repository;
  if (files.has(`src/${room}/${door}`)) return true;
  if (door.includes("/")) return files.has(door) || files.has(`src/${door}`);
  return [...files.keys()].some((path) => path.startsWith(`src/${room}/`) && path.endsWith(`/${door}`));
}

/** Rule 5. The patterns are written so that they do not match themselves. */
const FORBIDDEN: readonly { readonly pattern: RegExp; readonly message: (found: string) => string }[] = [
  {
    pattern: /(?<![\w.$}~-])\/(?:work\/|home\/[\w.-]+)/g,
    message: (found) => `Path "${found}" is one machine's; use a path relative to the root, or take it as an argument`,
  },
  {
    pattern:
      /(?:registry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)|registry-1\.docker\.io|(?:deb|security|ftp|snapshot)\.debian\.org|archive\.ubuntu\.com|files\.pythonhosted\.org|pypi\.org|proxy\.golang\.org|(?:static|index)\.crates\.io|npm\.pkg\.github\.com)/g,
    message: (found) => `No file names a package host ("${found}"); whoever installs decides where packages come from`,
  },
];

function checkTexts(repository: Repository): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [path, text] of repository.files) {
    for (const { pattern, message } of FORBIDDEN) {
      for (const found of text.matchAll(pattern)) problems.push(problemAt({ path, text }, found.index, message(found[0])));
    }
  }
  return problems;
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const DEPENDENCIES: readonly string[] = ["dependencies", "devDependencies", "optionalDependencies"];
const INSTALL_SCRIPTS: readonly string[] = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

function checkPackages(files: ReadonlyMap<string, string>): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [path, text] of files) {
    const base = posix.basename(path);
    if (base === "package.json") problems.push(...checkPackage(path, text));
    if (base !== "package-lock.json") continue;
    for (const found of text.matchAll(/"resolved":\s*"(?:https?|git)[^"]*"/g)) {
      const message = 'The lockfile names a host; set omit-lockfile-registry-resolved=true in .npmrc and run "npm install" again';
      problems.push(problemAt({ path, text }, found.index, message));
    }
  }
  return problems;
}

function checkPackage(path: string, text: string): readonly Problem[] {
  const parsed = parse(text);
  if (parsed === undefined) return [problemAt({ path, text }, 0, "Cannot parse this file as JSON; mend it")];
  const problems: Problem[] = [];
  const report = (section: string, key: string, message: string): void => {
    const at = text.indexOf(`"${key}"`, Math.max(0, text.indexOf(`"${section}"`)));
    problems.push(problemAt({ path, text }, Math.max(0, at), message));
  };
  for (const section of DEPENDENCIES) {
    for (const [name, version] of Object.entries(record(parsed[section]))) {
      if (EXACT.test(String(version))) continue;
      report(section, name, `Package "${name}" is asked for as "${version}"; write one exact version, as in "1.2.3"`);
    }
  }
  for (const script of INSTALL_SCRIPTS) {
    if (script in record(parsed["scripts"]))
      report("scripts", script, `No "${script}" script; installing runs no code, put it into the Makefile`);
  }
  return problems;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Rule 6: a row of docs/FEATURES.md that names a test names a file that has the id in it. */
const FEATURES = "docs/FEATURES.md";

function checkFeatures(files: ReadonlyMap<string, string>): readonly Problem[] {
  const text = files.get(FEATURES);
  if (text === undefined) {
    const message = 'Missing; write a table with rows "| id | where | test |", one for each feature';
    return [{ path: FEATURES, line: 1, column: 1, message }];
  }
  const problems: Problem[] = [];
  const seen = new Set<string>();
  let column = 2;
  let at = 0;
  for (const line of text.split("\n")) {
    const cells = line.split("|").slice(1, -1);
    const id = cells[0]?.replaceAll("`", "").trim() ?? "";
    const header = cells.findIndex((cell) => /^\s*tests?\s*$/i.test(cell));
    if (header !== -1) column = header;
    else if (/^[A-Z]+\d+[a-z]?$/.test(id)) {
      if (seen.has(id)) problems.push(problemAt({ path: FEATURES, text }, at, `Feature ${id} has two rows; keep one`));
      seen.add(id);
      const start = at + 1 + cells.slice(0, column).join("|").length + 1;
      problems.push(...checkRow(files, text, id, cells[column] ?? "", start));
    }
    at += line.length + 1;
  }
  return problems;
}

function checkRow(files: ReadonlyMap<string, string>, text: string, id: string, cell: string, start: number): readonly Problem[] {
  return [...cell.matchAll(/[\w./-]+\.(?:ts|txt)(?![\w-])/g)].flatMap((found) => {
    const path = found[0].startsWith(".") ? posix.join(posix.dirname(FEATURES), found[0]) : found[0];
    const test = files.get(path);
    const report = (message: string): readonly Problem[] => [problemAt({ path: FEATURES, text }, start + found.index, message)];
    if (test === undefined) return report(`Test "${path}" of feature ${id} does not exist; name the file that shows it`);
    return test.includes(`[${id}]`)
      ? []
      : report(`Test "${path}" does not carry [${id}]; put the id into the name of the test that shows it`);
  });
}

/** Rule 7: how-to pages are lists of files to touch; a list that is wrong is worse than none. */
const PAGES = /^docs\/(?:how-to\/.*|glossary|ARCHITECTURE)\.md$/;

function checkPages(files: ReadonlyMap<string, string>): readonly Problem[] {
  const names = new Set([...files.keys()].map((path) => posix.basename(path)));
  const problems: Problem[] = [];
  for (const [path, text] of files) {
    if (!PAGES.test(path)) continue;
    for (const found of text.matchAll(/(?<![\w./*<>-])[\w-][\w./-]*\.(?:ts|proto)(?![\w-])/g)) {
      const [name] = found;
      // A bare name is a file of the folder that was named before it.
      if (name.includes("/") ? files.has(name) || isEnd(files, name) : names.has(name)) continue;
      problems.push(problemAt({ path, text }, found.index, `File "${name}" does not exist; name the file that has the thing now`));
    }
  }
  return problems;
}

/** A name of our code in backquotes: `FAULT_KINDS`, `connectCell`. */
const CODE_NAME = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+)`/g;
const CODE = /^(?:src|test|tools|bench|proto|clients|examples)\/.*\.(?:ts|tsx|proto|bcl|txt)$/;

function checkNames(files: ReadonlyMap<string, string>): readonly Problem[] {
  const code = [...files].filter(([path]) => CODE.test(path)).map(([, text]) => text);
  const problems: Problem[] = [];
  for (const [path, text] of files) {
    if (!PAGES.test(path)) continue;
    for (const found of text.matchAll(CODE_NAME)) {
      const name = found[1] as string;
      const word = new RegExp(`\\b${name}\\b`);
      if (code.some((each) => each.includes(name) && word.test(each))) continue;
      problems.push(problemAt({ path, text }, found.index, `No file of the code has "${name}"; say what it is called now`));
    }
  }
  return problems;
}

const isEnd = (files: ReadonlyMap<string, string>, name: string): boolean => [...files.keys()].some((path) => path.endsWith(`/${name}`));
