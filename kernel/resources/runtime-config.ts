import type { CompiledVersion, ResourceType } from './resource-type.js'

/**
 * --runtime-config: `key[=value]` pairs; no value means true. Keys are `group/version`, `group/version/resource`, and
 * `api/all`, `api/ga`, `api/beta`, `api/alpha`. A more specific key wins. Alpha versions are off unless named.
 */
export class RuntimeConfig {
  readonly #switches = new Map<string, boolean>()

  constructor(pairs: Readonly<Record<string, string>>) {
    for (const [key, value] of Object.entries(pairs)) {
      if (value !== 'true' && value !== 'false' && value !== '') {
        throw new Error(`--runtime-config: the value of "${key}" must be true or false, not "${value}"`)
      }
      this.#switches.set(key, value !== 'false')
    }
  }

  isServed(type: ResourceType, version: CompiledVersion): boolean {
    // The form in which another type's objects are stored is no version of this one.
    if (type.definition.storedAs && version.isStorage) return false
    const groupVersion = type.group === '' ? `api/${version.name}` : version.groupVersion
    return (
      this.#switches.get(`${groupVersion}/${type.resource}`) ??
      this.#switches.get(groupVersion) ??
      this.#switches.get(version.groupVersion) ??
      this.#switches.get(`api/${stabilityOf(version.name)}`) ??
      this.#switches.get('api/all') ??
      version.definition.served ??
      stabilityOf(version.name) !== 'alpha'
    )
  }
}

function stabilityOf(version: string): 'alpha' | 'beta' | 'ga' {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga'
}
