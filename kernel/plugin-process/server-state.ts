import { resolve } from 'node:path'
import type { AdmissionConfiguration, ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import type { CatalogueChange } from 'orch/sdk/server'
import type { JsonObject } from '../../libs/json/index.js'
import type { ControlConfiguration, ServerState } from '../isolation/plugin-messages.js'

/** The types of the server, as it sends them. */
class SentTypes implements ResourceCatalogue {
  readonly #types = new Map<string, ResourceInfo>()
  readonly #kinds = new Map<string, ResourceInfo>()
  readonly #listeners = new Set<(change: CatalogueChange) => void>()

  all(): readonly ResourceInfo[] {
    return [...this.#types.values()]
  }
  find(group: string, resource: string): ResourceInfo | undefined {
    return this.#types.get(`${group}/${resource}`)
  }
  findKind(group: string, kind: string): ResourceInfo | undefined {
    return this.#kinds.get(`${group}/${kind}`)
  }
  onChange(listener: (change: CatalogueChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  apply(change: CatalogueChange): void {
    for (const { group, resource, kind } of change.removed) {
      this.#types.delete(`${group}/${resource}`)
      this.#kinds.delete(`${group}/${kind}`)
    }
    for (const info of change.added) {
      this.#types.set(`${info.group}/${info.resource}`, info)
      this.#kinds.set(`${info.group}/${info.kind}`, info)
    }
    for (const listener of this.#listeners) listener(change)
  }
}

/** State of the server that plugins read synchronously. It is sent before the first call that could read it. */
export class SentState {
  readonly types = new SentTypes()
  #modes: readonly string[] = []
  #configuration: ReadonlyMap<string, ControlConfiguration> = new Map()

  get modes(): readonly string[] {
    return this.#modes
  }

  receive(content: JsonObject): void {
    const { modes, types, configuration = [] }: ServerState = Object.assign({ modes: [], types: [] }, content)
    this.#modes = modes
    this.#configuration = new Map(configuration.map(each => [each.control, each]))
    this.types.apply({ added: types, removed: [] })
  }
  receiveTypes(content: JsonObject): void {
    this.types.apply(Object.assign({ added: [], removed: [] }, content))
  }

  readonly admissionConfiguration: AdmissionConfiguration = {
    of: control => this.#configuration.get(control)?.configuration,
    pathFor: (control, file) => resolve(this.#configuration.get(control)?.folder ?? '.', file),
  }
}
