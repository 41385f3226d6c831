import type { ApiObject } from 'orch/sdk'
import type { KindInfo } from 'orch/sdk/client'
import { fillGoTemplate } from '../../libs/go-templates/index.js'
import { fillTemplate, findValues, printed, readPath, type Step, valuesAsJson } from '../../libs/json-path/index.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import type { Format } from './format.js'
import { TextTable } from './text-table.js'
import { paintYaml, yamlText } from './yaml-text.js'

/** A column of `custom-columns`. */
interface CustomColumn {
  readonly header: string
  readonly path: readonly Step[]
}

/** Parses `NAME:.metadata.name,IMAGE:.spec.containers[*].image`. Commas in brackets do not end a column. */
function readCustomColumns(spec: string): CustomColumn[] {
  const parts = spec.match(/(?:\[[^\]]*(?:\]|$)|[^,[])+/g) ?? []
  if (parts.length === 0) throw new UsageError('custom-columns needs columns: -o custom-columns=NAME:.metadata.name')
  return parts.map(part => {
    const colon = part.indexOf(':')
    if (colon <= 0) throw new UsageError(`"${part}" is not a column; write HEADER:.path, such as NAME:.metadata.name`)
    return { header: part.slice(0, colon), path: readPath(part.slice(colon + 1).replace(/^\{(.*)\}$/s, '$1')) }
  })
}

/** The cells of one object; missing values are `<none>`. */
const customCells = (columns: readonly CustomColumn[], object: unknown): string[] =>
  columns.map(({ path }) => {
    const values = findValues(path, [object], object).filter(value => value !== undefined && value !== null)
    return values.length === 0 ? '<none>' : values.map(printed).join(',')
  })

/** `configmap/a`, `deployment.apps/b`. */
export const objectName = ({ singular, group }: Pick<KindInfo, 'singular' | 'group'>, name: string): string =>
  `${group === '' ? singular : `${singular}.${group}`}/${name}`

/** An object to print, with its type if that is known. */
export interface Printable {
  readonly object: ApiObject
  readonly kind?: KindInfo
}

/** Prints objects in any format except tables of the server. */
export class ObjectPrinter {
  readonly #terminal: Terminal
  readonly #format: Format
  readonly #keepsManagedFields: boolean
  readonly #withHeader: boolean
  #table: TextTable | undefined
  #printed = 0
  constructor(terminal: Terminal, format: Format, options: { managedFields?: boolean; header?: boolean } = {}) {
    this.#terminal = terminal
    this.#format = format
    this.#keepsManagedFields = options.managedFields ?? false
    this.#withHeader = options.header ?? true
  }
  /** Prints a single object as such; several, or the result of a list request, as a List. */
  print(items: readonly Printable[], asList = items.length !== 1): void {
    const shown = items.map(({ object }) => this.#shown(object))
    switch (this.#format.form) {
      case 'name':
        for (const { object, kind } of items) this.#terminal.write(`${printedName(object, kind)}\n`)
        return
      case 'custom-columns':
        return this.#printColumns(shown)
      default:
        if (shown.length === 0 && !asList) return
        this.#printDocument(asList ? listOf(shown) : shown[0])
    }
  }
  /** Prints objects one after another, for a watch. */
  printEach(items: readonly Printable[]): void {
    for (const item of items) {
      if (this.#format.form === 'yaml' && this.#printed++ > 0) this.#terminal.write('---\n')
      this.print([item], false)
    }
  }
  #printDocument(document: unknown): void {
    const { form, template, requiresKeys } = this.#format
    const { paint } = this.#terminal
    if (form === 'json') this.#terminal.write(`${JSON.stringify(document, undefined, 4)}\n`)
    else if (form === 'jsonpath') this.#terminal.write(fillTemplate(template, document, requiresKeys))
    else if (form === 'jsonpath-as-json') this.#terminal.write(valuesAsJson(template, document))
    else if (form === 'go-template') this.#terminal.write(fillGoTemplate(template, document, requiresKeys))
    else this.#terminal.write(paintYaml(yamlText(document), paint))
  }
  #printColumns(objects: readonly unknown[]): void {
    const columns = readCustomColumns(this.#format.template)
    const isFirst = this.#table === undefined
    this.#table ??= new TextTable(
      columns.map(({ header }) => header),
      this.#terminal.paint,
    )
    const rows = objects.map(object => customCells(columns, object))
    this.#terminal.write(this.#table.print(rows, isFirst && this.#withHeader))
  }
  #shown(object: ApiObject): ApiObject {
    return this.#keepsManagedFields ? object : withoutManagedFields(object)
  }
}

/** The object without the record of who set its fields, which few people want to read. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  // A watch event, which is printed like an object, has no metadata.
  if (object.metadata?.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

const listOf = (items: readonly unknown[]) => ({
  apiVersion: 'v1',
  kind: 'List',
  metadata: { resourceVersion: '' },
  items,
})
const printedName = (object: ApiObject, kind: KindInfo | undefined) => {
  const group = (object.apiVersion ?? '').includes('/') ? (object.apiVersion ?? '').split('/')[0] : ''
  const known = kind ?? { singular: (object.kind ?? 'object').toLowerCase(), group: group ?? '' }
  return objectName(known, object.metadata?.name ?? '')
}
