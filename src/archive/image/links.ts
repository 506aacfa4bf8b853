/**
 * Links of an image as a package may have them: relative, climbing at their beginning only, never above the image's root. Where "/" is the image, they lead where they led before;
 * anywhere else they still stay inside.
 */
import { type ImageTree, linkParts } from "./tree.ts";

/** `directory`: of the link, as parts below the image's root. */
export function relativeLink(tree: ImageTree, directory: readonly string[], target: string): string {
  const parts = linkParts(target);
  const isAbsolute = target.startsWith("/");
  const down = parts.findIndex((part) => part !== "..");
  const climbs = down === -1 ? parts.length : down;
  const isPlain = !isAbsolute && climbs <= directory.length && !parts.slice(climbs).includes("..");
  if (isPlain || target === "") return target;
  return fromRoot(directory, straightened(tree, isAbsolute ? [] : directory, parts));
}

/** From the root, without "..": what is behind a link on the way is looked for where the link leads, as the kernel would. */
function straightened(tree: ImageTree, from: readonly string[], parts: readonly string[]): string[] {
  let way = [...from];
  for (const part of parts) {
    if (part !== "..") way.push(part);
    else way = tree.resolve(way).slice(0, -1);
  }
  return way;
}

const fromRoot = (directory: readonly string[], way: readonly string[]): string => [...directory.map(() => ".."), ...way].join("/") || ".";
