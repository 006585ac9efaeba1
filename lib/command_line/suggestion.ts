// @ts-types="../declarations/levenshtein_distance.d.ts"
import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** The name that was probably meant by a mistyped word, if one is near enough. */
export function suggestion(word: string, names: readonly string[]): string | undefined {
  const most = Math.min(3, Math.ceil(word.length / 3));
  const [nearest] = names
    .map((name) => ({ name, distance: distance(word, name) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.name;
}

/** How many letters differ; a word that was begun is near. */
function distance(word: string, name: string): number {
  return word.length >= 3 && name.startsWith(word) ? 1 : levenshteinDistance(word, name);
}
