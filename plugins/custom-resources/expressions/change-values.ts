import { type CelFunc, type CelMap, CelScalar, celFunc, isCelList, isCelMap } from '@bufbuild/cel'
import { contentOf, LazyMap, opaque } from './open-values.js'

const { STRING } = CelScalar

/** A struct in an apply configuration. Its type name is its path in the object: `Object.spec.template`. */
class Structure {
  readonly name: string
  readonly fields: CelMap
  constructor(name: string, fields: CelMap) {
    this.name = name
    this.fields = fields
  }
}
class Fields extends LazyMap {
  readonly #fields: CelMap
  constructor(fields: CelMap) {
    super()
    this.#fields = fields
  }
  get(key: unknown): unknown {
    return this.#fields.get(key as string)
  }
  keys(): MapIterator<string> {
    return this.#fields.keys() as MapIterator<string>
  }
}

/** Checks the type names of structs in the values of a JSON patch. Throws if one does not match its path. */
export function checkPatchTypeNames(patches: unknown): void {
  if (!isCelList(patches)) return
  for (const patch of patches) {
    const value = isCelMap(patch) ? patch.get('value') : undefined
    const structure = contentOf(value, Structure)
    if (structure) checkTypeNames(value, structure.name)
  }
}

/** Throws if the type name of a struct does not match its path. */
export function checkTypeNames(value: unknown, path = 'Object'): void {
  const structure = contentOf(value, Structure)
  if (structure && structure.name !== path)
    throw new Error(
      `unexpected type name ${JSON.stringify(structure.name)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
    )
  if (isCelList(value)) for (const item of value) checkTypeNames(item, path)
  else if (isCelMap(value)) for (const [field, each] of value) checkTypeNames(each, `${path}.${String(field)}`)
}

/** A struct with these fields. */
export const structureOf = (name: string, fields: CelMap): CelMap =>
  opaque(new Structure(name, fields), new Fields(fields))

export const changeFunctions: CelFunc[] = [
  // RFC 6901: a key may contain the separator, which is escaped.
  celFunc('jsonpatch.escapeKey', [STRING], STRING, key => key.replaceAll('~', '~0').replaceAll('/', '~1')),
]
