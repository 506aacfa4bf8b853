/** FNV-1a, 32 bits: spreads names evenly, the same everywhere and for ever. Nothing that an enemy could gain by choosing names may rest on it. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
