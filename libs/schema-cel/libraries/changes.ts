import {
  CelList,
  CelMap,
  dynType,
  Failure,
  func,
  type Library,
  StructValue,
  stringType,
  structType,
  type Type,
  type Work,
} from '../../cel/index.js'

const patchType = structType(
  'JSONPatch',
  new Map([
    ['op', stringType],
    ['path', stringType],
    ['from', stringType],
    ['value', dynType],
  ]),
)
/** The type of `JSONPatch{...}` and of apply configurations: `Object{...}`, `Object.spec{...}`. */
export const changeType = (name: string): Type | undefined => {
  if (name === 'JSONPatch') return patchType
  return name === 'Object' || name.startsWith('Object.') ? structType('Object') : undefined
}

/** Throws if the type name of a struct does not match its path. */
export function checkTypeNames(work: Work, value: unknown, path = 'Object'): void {
  work.steps(2)
  if (value instanceof StructValue && value.typeName !== path)
    throw new Failure(
      `unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
    )
  if (value instanceof CelList) for (const item of value) checkTypeNames(work, item, path)
  else if (value instanceof CelMap)
    for (const field of value.keys()) checkTypeNames(work, value.get(field), `${path}.${String(field)}`)
}

/** Checks the type names of structs in the values of a JSON patch. */
export function checkPatchTypeNames(work: Work, patches: unknown): void {
  if (!(patches instanceof CelList)) return
  for (const patch of patches) {
    const value = patch instanceof CelMap ? patch.get('value') : undefined
    if (value instanceof StructValue) checkTypeNames(work, value, value.typeName)
  }
}

export const changes: Library = {
  name: 'changes',
  since: 0,
  functions: {
    'jsonpatch.escapeKey': {
      // RFC 6901: a key may contain the separator, which is escaped.
      string_jsonpatch_escapeKey_string: func('string:string', (work, key: string) => {
        work.steps(1 + key.length * 4)
        return key.replaceAll('~', '~0').replaceAll('/', '~1')
      }),
    },
  },
}
