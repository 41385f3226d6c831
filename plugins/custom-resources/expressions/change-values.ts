import { type CelFunc, type CelMap, CelScalar, celFunc, isCelList, isCelMap } from '@bufbuild/cel'
import { contentOf, LazyMap, opaque } from './open-values.js'

const { STRING } = CelScalar

/** A part of an object that is to be changed. Its name says where it belongs: `Object.spec.template`. */
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

/** Throws when a part of an object, in a patch, has parts that stand where their names do not lead. */
export function checkPatchPlaces(patches: unknown): void {
  if (!isCelList(patches)) return
  for (const patch of patches) {
    const value = isCelMap(patch) ? patch.get('value') : undefined
    const structure = contentOf(value, Structure)
    if (structure) checkPlaces(value, structure.name)
  }
}

/** Throws when a part of an object stands where its name does not lead. */
export function checkPlaces(value: unknown, path = 'Object'): void {
  const structure = contentOf(value, Structure)
  if (structure && structure.name !== path)
    throw new Error(
      `unexpected type name ${JSON.stringify(structure.name)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
    )
  if (isCelList(value)) for (const item of value) checkPlaces(item, path)
  else if (isCelMap(value)) for (const [field, each] of value) checkPlaces(each, `${path}.${String(field)}`)
}

/** A part of an object with these fields. */
export const structureOf = (name: string, fields: CelMap): CelMap =>
  opaque(new Structure(name, fields), new Fields(fields))

export const changeFunctions: CelFunc[] = [
  // As RFC 6901 has it: a key can contain what separates keys.
  celFunc('jsonpatch.escapeKey', [STRING], STRING, key => key.replaceAll('~', '~0').replaceAll('/', '~1')),
]
