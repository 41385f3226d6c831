/** All names in a new plugin, derived from the given one. */
export interface PluginNames {
  /** The plugin and its folder: `garden-gnomes`. */
  readonly plugin: string
  /** The variable that holds the type: `gardenGnomes`. */
  readonly variable: string
  /** `GardenGnome`. */
  readonly kind: string
  /** The singular, in file names and comments: `garden-gnome`. */
  readonly single: string
  /** The plural in the URL: `gardengnomes`. */
  readonly resource: string
  readonly group: string
  /** Whether it runs in a separate process. */
  readonly isIsolated: boolean
}

const longestName = 40

/** Why a name is not valid for a plugin; undefined if it is. */
export function nameProblem(name: string): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name))
    return 'use lower-case words joined by "-", such as garden-gnomes'
  return name.length > longestName ? `use at most ${longestName} characters` : undefined
}

export function pluginNames(plugin: string, isIsolated = false): PluginNames {
  const single = singularOf(plugin)
  const plural = single === plugin ? pluralOf(plugin) : plugin
  const kind = capitalized(camelCase(single))
  const words = camelCase(plural)
  const resource = plural.replaceAll('-', '')
  return { plugin, variable: words, kind, single, resource, group: 'example.com', isIsolated }
}

function pluralOf(single: string): string {
  if (/[^aeiou]y$/.test(single)) return single.replace(/y$/, 'ies')
  return /(s|x|z|ch|sh)$/.test(single) ? `${single}es` : `${single}s`
}
function singularOf(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y')
  if (/(s|x|z|ch|sh)es$/.test(plural)) return plural.replace(/es$/, '')
  return plural.replace(/([^s])s$/, '$1')
}
export const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
export const camelCase = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** The folder of the code. A separate process may read all of it, so it must not contain the data folder of a server. */
export const codeFolder = ({ isIsolated }: PluginNames): string => (isIsolated ? 'src/' : '')
