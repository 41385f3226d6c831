import type { ResourceDefinition } from 'orch/sdk'
import { nearestName } from '../contracts/nearest-name.js'
import type { CompiledVersion } from './compiled-version.js'
import type { ResourceType } from './resource-type.js'

/**
 * --runtime-config: `key[=value]` pairs; no value means true. Keys are `group/version`, `group/version/resource`, and
 * `api/all`, `api/ga`, `api/beta`, `api/alpha`. A more specific key wins. Alpha versions are off unless named.
 */
export class RuntimeConfig {
  readonly #switches = new Map<string, boolean>()

  constructor(pairs: Readonly<Record<string, string>>) {
    for (const [key, value] of Object.entries(pairs)) this.#switches.set(key, value !== 'false')
  }

  isServed(type: ResourceType, version: CompiledVersion): boolean {
    if (isNeverServed(type, version)) return false
    const groupVersion = type.group === '' ? `api/${version.name}` : version.groupVersion
    return (
      this.#switches.get(`${groupVersion}/${type.resource}`) ??
      this.#switches.get(groupVersion) ??
      this.#switches.get(version.groupVersion) ??
      this.#switches.get(`api/${stabilityOf(version.name)}`) ??
      this.#switches.get('api/all') ??
      isServedByDefault(type, version)
    )
  }
}

/** Is the version served without any configuration? */
export function isServedByDefault(type: ResourceType, version: CompiledVersion): boolean {
  if (isNeverServed(type, version)) return false
  return (
    version.definition.served !== false && (version.definition.served === true || stabilityOf(version.name) !== 'alpha')
  )
}

/** Can the plugins of this server use the version, although clients may not? Objects are stored in one of them. */
export function isForServer(type: ResourceType, version: CompiledVersion): boolean {
  return isServedByDefault(type, version) || (version.isStorage && !type.definition.storedAs)
}

function isNeverServed(type: ResourceType, version: CompiledVersion): boolean {
  // The form in which objects of another type are stored is not a version of this type.
  return version.definition.served === 'never' || (type.definition.storedAs !== undefined && version.isStorage)
}

/** Keys that match many versions. */
const broadKeys = ['api/all', 'api/ga', 'api/beta', 'api/alpha']

/** Mistakes in the pairs: unknown keys, with the nearest known one, and values that are neither true nor false. */
export function runtimeConfigProblems(
  pairs: Readonly<Record<string, string>>,
  resources: readonly ResourceDefinition[],
  otherKeys: readonly string[],
): string[] {
  const versions = resources.flatMap(({ group, resource, versions }) =>
    versions.flatMap(({ name }) => {
      const keys = group === '' ? [`api/${name}`, name] : [`${group}/${name}`]
      return keys.flatMap(key => [key, `${key}/${resource}`])
    }),
  )
  const known = [...new Set([...broadKeys, ...versions, ...otherKeys])]
  return Object.entries(pairs).flatMap(([key, value]) => {
    if (!['true', 'false', ''].includes(value)) return [`the value of "${key}" must be true or false, not "${value}"`]
    if (known.includes(key)) return []
    const nearest = nearestName(key, known)
    return [`no plugin brings "${key}"${nearest ? `, did you mean "${nearest}"` : ''}`]
  })
}

function stabilityOf(version: string): 'alpha' | 'beta' | 'ga' {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga'
}
