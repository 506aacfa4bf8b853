/**
 * What an image says of how it wants to be run, as it is kept in a package: in `image.json` at the package's top. The image's own files are all under `root/`, so nothing in an image
 * can stand in its place. Whoever reads it checks it: anybody may push a package that has such a file.
 */
import { refuse, shown } from "./refusal.ts";

export const IMAGE_FILE = "image.json";
export const IMAGE_ROOT = "root";
/** Of `image.json`; a longer one is refused. */
export const IMAGE_FILE_BYTES_MAX = 256 * 1024;
const WORDS_MAX = 1024;

export interface ImageConfig {
  /** In the words of images: amd64, arm64. */
  readonly architecture: string;
  readonly entrypoint: readonly string[];
  /** What follows the entrypoint when a job says nothing. */
  readonly command: readonly string[];
  readonly environment: readonly (readonly [key: string, value: string])[];
  /** Where its program starts; empty: it does not say. */
  readonly directory: string;
  /** Nobody becomes it: each job has a user of its own. */
  readonly user: string;
}

/** Always the same text for the same values. */
export function imageText({ architecture, entrypoint, command, environment, directory, user }: ImageConfig): string {
  const text = `${JSON.stringify({ version: 1, architecture, entrypoint, command, environment, directory, user })}\n`;
  if (Buffer.byteLength(text) > IMAGE_FILE_BYTES_MAX) refuse(`The image's configuration is longer than ${IMAGE_FILE_BYTES_MAX} bytes`);
  return text;
}

export function readImage(text: string): ImageConfig {
  const found = objectOf(parsed(text, IMAGE_FILE), IMAGE_FILE);
  if (found["version"] !== 1) refuse(`"${IMAGE_FILE}" is of another version than 1`);
  const variables = listOf(found["environment"], "environment");
  return {
    architecture: wordOf(found["architecture"], "architecture"),
    entrypoint: wordsOf(found["entrypoint"], "entrypoint"),
    command: wordsOf(found["command"], "command"),
    environment: variables.map((each) => pairOf(wordsOf(each, "environment"))),
    directory: wordOf(found["directory"], "directory"),
    user: wordOf(found["user"], "user"),
  };
}

function pairOf(words: readonly string[]): readonly [string, string] {
  const [key = "", value] = words;
  if (value === undefined || words.length !== 2) refuse("A variable of the image is not a key and a value");
  if (key === "" || key.includes("=")) refuse(`The image has a variable with the key ${shown(key)}`);
  return [key, value];
}

export function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return refuse(`"${what}" is no JSON: ${(error as Error).message}`);
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Nothing is an object without fields. */
export function objectOf(value: unknown, what: string): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) refuse(`"${what}" is no object`);
  return value as Fields;
}

/** Nothing is an empty list. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > WORDS_MAX) refuse(`"${what}" is no list of at most ${WORDS_MAX}`);
  return value as readonly unknown[];
}

export const wordsOf = (value: unknown, what: string): string[] => listOf(value, what).map((each) => wordOf(each, what));

/** Nothing is empty text. */
export function wordOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || value.includes("\0") || !value.isWellFormed()) refuse(`"${what}" is no text`);
  return value;
}
