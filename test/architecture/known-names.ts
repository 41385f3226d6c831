import { bootPlugins } from '../../kernel/boot/boot-plugins.js'
import { Registry } from '../../kernel/registry/registry.js'
import { commandPlugins } from '../../orch.commands.js'
import config from '../../orch.config.js'
import { scanCode } from './scan-code.js'
import type { Source } from './sources.js'

/** The names that first-party plugins contribute. None of them may occur in the kernel. */
export interface KnownNames {
  /** Resources and kinds. */
  readonly types: ReadonlySet<string>
  readonly controls: ReadonlySet<string>
  readonly plugins: readonly string[]
}

export async function knownNames(): Promise<KnownNames> {
  const { registry, found, problems } = await bootPlugins({
    config: { plugins: [...new Set([...config.plugins, ...commandPlugins])] },
  })
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  const definitions = registry.resources.map(({ definition }) => definition)
  return {
    types: new Set(definitions.flatMap(({ resource, kind }) => [resource, kind])),
    controls: new Set(registry.admissions.map(({ definition }) => definition.name)),
    plugins: found.map(({ definition }) => definition.name),
  }
}

/** Ordinary words: they count only as a complete literal. */
const ordinaryWords = new Set(
  'bindings Binding endpoints Endpoints events Event leases Lease namespaces Namespace nodes Node roles Role secrets services Service'.split(
    ' ',
  ),
)
/** Names of extension points belong to the kernel: `services` are those that plugins offer each other. */
const extensionPoints = new Set(Object.keys(Object.getOwnPropertyDescriptors(Registry.prototype)))

/** Every place where a file spells out a type, a control or the path of a plugin. */
export function namesSpelledOut(sources: readonly Source[], { types, controls, plugins }: KnownNames): string[] {
  const isPluginPath = (literal: string) =>
    plugins.some(name => new RegExp(`\\bplugins/${name}(?![\\w-])`).test(literal))
  return sources.flatMap(({ path, text }) =>
    scanCode(text).literals.flatMap(literal => {
      const words = types.has(literal)
        ? [literal]
        : literal.split(/[^A-Za-z]+/).filter(word => !ordinaryWords.has(word))
      const found = words.filter(word => (types.has(word) && !extensionPoints.has(word)) || controls.has(word))
      return [...found, ...(isPluginPath(literal) ? [literal] : [])].map(name => `${path}: ${name}`)
    }),
  )
}
