/** Looks for private keys where they may not be: in whatever form somebody might have written them. */
import { createPrivateKey } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** A secret number in base64, wherever in some longer text it begins: without the first and the last group, in which its neighbours are. */
const inBase64 = (secret: Buffer): readonly string[] =>
  [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), secret])
      .toString("base64")
      .slice(4, -4),
  );

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);

/** By the file they are in: what only the key itself has, as bytes and as text. */
export function privateKeysIn(directory: string): ReadonlyMap<string, readonly Buffer[]> {
  const found = new Map<string, readonly Buffer[]>();
  for (const path of filesIn(directory).filter((name) => name.endsWith(".key"))) {
    const secret = Buffer.from(createPrivateKey(readFileSync(path)).export({ format: "jwk" }).d as string, "base64url");
    const texts = inBase64(secret).flatMap((part) => [part, part.replaceAll("+", "-").replaceAll("/", "_")]);
    found.set(path, [secret, ...[secret.toString("hex"), ...texts].map((form) => Buffer.from(form))]);
  }
  return found;
}

/** Files below a directory that hold any of them; line breaks in text do not hide one. */
export function filesWith(directory: string, parts: readonly Buffer[]): readonly string[] {
  return filesIn(directory)
    .filter((path) => {
      const bytes = readFileSync(path);
      const unbroken = Buffer.from(bytes.toString("latin1").replace(/\r?\n/g, ""), "latin1");
      return parts.some((part) => bytes.includes(part) || unbroken.includes(part));
    })
    .map((path) => relative(directory, path));
}
