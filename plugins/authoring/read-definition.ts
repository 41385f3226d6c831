import type { JsonObject, ScalePaths } from 'orch/sdk'
import { readYaml } from 'orch/sdk/files'

export interface DefinitionVersion {
  readonly name: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly schema?: { readonly openAPIV3Schema?: JsonObject }
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
}
export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly description?: string
  readonly format?: string
  readonly priority?: number
}
/** The parts of a CustomResourceDefinition that become a plugin. */
export interface Definition {
  readonly group: string
  readonly scope: string
  readonly names: {
    readonly plural: string
    readonly kind: string
    readonly singular?: string
    readonly listKind?: string
    readonly shortNames?: readonly string[]
    readonly categories?: readonly string[]
  }
  readonly versions: readonly DefinitionVersion[]
}

/** Reads the only definition in a YAML file. Throws an Error if it is invalid. */
export function readDefinition(text: string): Definition {
  const documents = readYaml(text).documents.filter(document => document !== null && document !== undefined)
  const found = documents.filter(document => (document as JsonObject)['kind'] === 'CustomResourceDefinition')
  if (found.length !== 1) throw new Error(`it must contain one CustomResourceDefinition, not ${found.length}`)
  const spec = (found[0] as JsonObject)['spec'] as Partial<Definition> | undefined
  const { group, names, versions } = spec ?? {}
  if (!group || !names?.plural || !names.kind)
    throw new Error('spec.group, spec.names.plural and spec.names.kind are required')
  if (!/^[a-z][a-z0-9-]*$/.test(names.plural)) throw new Error('spec.names.plural must be a DNS label')
  if (!/^[A-Z][A-Za-z0-9]*$/.test(names.kind)) throw new Error('spec.names.kind must be a word in CamelCase')
  if (!/^[a-z0-9.-]+$/.test(group)) throw new Error('spec.group must be a DNS name')
  if (!versions?.length) throw new Error('spec.versions is required')
  for (const { name, schema } of versions) {
    if (!/^[a-z][a-z0-9]*$/.test(name)) throw new Error(`"${name}" is not a valid name of a version`)
    if (schema?.openAPIV3Schema?.['type'] !== 'object') throw new Error(`version ${name} has no schema of type object`)
  }
  return spec as Definition
}
