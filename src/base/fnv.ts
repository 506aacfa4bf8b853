/** FNV-1a, 32 bits: spreads names evenly, the same everywhere and for ever. Nothing that an enemy could gain by choosing names may rest on it. */
export const fnv1a = (text: string): number => mixText(FNV_OFFSET, text) >>> 0;

/** What a hash begins with that goes on over many texts and numbers. */
export const FNV_OFFSET = 0x811c9dc5;

export function mixText(hash: number, text: string): number {
  let mixed = hash;
  for (let i = 0; i < text.length; i++) mixed = mixNumber(mixed, text.charCodeAt(i));
  return mixed;
}

/** Of the number its lowest 32 bits. */
export const mixNumber = (hash: number, number: number): number => Math.imul(hash ^ number, 0x01000193);
