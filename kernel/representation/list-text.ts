import type { ApiObject } from 'orch/sdk'
import { writeJson, writePretty } from '../../libs/json/index.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'

/** The JSON text of a list that is written item by item. */
export class ListText {
  readonly #start: object
  readonly #beforeItems: object
  readonly #itemsKey: string
  readonly #isPretty: boolean

  /** `start` comes before the metadata, `beforeItems` after it. */
  constructor(start: object, beforeItems: object, itemsKey: string, isPretty: boolean) {
    this.#start = start
    this.#beforeItems = beforeItems
    this.#itemsKey = itemsKey
    this.#isPretty = isPretty
  }

  /** Everything before the first item. The metadata may come at the end instead. */
  begin(metadata: object | undefined): string {
    const fields = this.#fields({ ...this.#start, ...(metadata ? { metadata } : {}), ...this.#beforeItems })
    return `{${fields},${this.#name(this.#itemsKey)}[`
  }
  /** Items with commas between them. */
  items(items: readonly unknown[]): string {
    return items.map(item => this.#margin(2) + this.#text(item, 2)).join()
  }
  /** Everything after the last item. */
  end(hasItems: boolean, metadata: object | undefined): string {
    const margin = hasItems ? this.#margin(1) : ''
    return `${margin}]${metadata ? `,${this.#fields({ metadata })}` : ''}${this.#margin(0)}}\n`
  }

  #fields(object: object): string {
    return Object.entries(object)
      .map(([name, value]) => this.#name(name) + this.#text(value, 1))
      .join()
  }
  #name(name: string): string {
    return `${this.#margin(1)}${JSON.stringify(name)}:${this.#isPretty ? ' ' : ''}`
  }
  #margin(depth: number): string {
    return this.#isPretty ? `\n${'  '.repeat(depth)}` : ''
  }
  /** Line ends within strings are escaped, so all line ends belong to the layout. */
  #text(value: unknown, depth: number): string {
    return this.#isPretty ? writePretty(value).replaceAll('\n', this.#margin(depth)) : writeJson(value)
  }
}

/** An object in a list: a custom resource has kind and apiVersion there, too. */
export const listItem = ({ conventions, kind }: ResourceType, { groupVersion }: CompiledVersion) =>
  conventions.objectsNameTheirType
    ? (object: ApiObject): ApiObject => ({ apiVersion: groupVersion, kind, ...object })
    : (object: ApiObject) => object
