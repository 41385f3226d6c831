import { apiVersionOf, type KindInfo, type Kinds } from 'orch/sdk/client'
import { UsageError } from '../usage-error.js'

/** What a command operates on: one object, or all objects of a type if there is no name. */
export interface Target {
  readonly kind: KindInfo
  readonly name?: string
}

/** Reads `TYPE`, `TYPE NAME...`, `TYPE/NAME...` and `TYPE,TYPE`. */
export function readTargets(args: readonly string[], kinds: Kinds): Target[] {
  const [types, ...names] = args
  if (types === undefined) throw new UsageError('name a type, such as configmaps; `orchctl api-resources` lists them')
  if (args.some(word => word.includes('/'))) return args.map(word => readPair(word, kinds))
  const found = types
    .split(',')
    .filter(type => type !== '')
    .flatMap(type => kindsNamed(type, kinds))
  return names.length === 0 ? found.map(kind => ({ kind })) : found.flatMap(kind => names.map(name => ({ kind, name })))
}

function readPair(word: string, kinds: Kinds): Target {
  const [type = '', name = '', ...more] = word.split('/')
  if (type === '' || name === '' || more.length > 0)
    throw new UsageError(`"${word}" is not TYPE/NAME; TYPE/NAME and TYPE NAME cannot be mixed`)
  return { kind: kindNamed(type, kinds), name }
}

/** The type of this name. `configmaps.v1.` is qualified, too: the name of the core group is empty. */
export function kindNamed(type: string, kinds: Kinds): KindInfo {
  const kind = kinds.findByName(type.replace(/\.$/, ''))
  if (kind) return kind
  const missing = kinds.unavailable.length > 0 ? ` (these groups did not answer: ${kinds.unavailable.join(', ')})` : ''
  throw new UsageError(`the server has no type "${type}"${missing}; \`orchctl api-resources\` lists what it has`)
}

/** The type of this name, or the types of this category (`all`). */
function kindsNamed(type: string, kinds: Kinds): readonly KindInfo[] {
  const members = preferred(kinds).filter(kind => kind.categories.includes(type) && kind.verbs.includes('list'))
  return members.length > 0 && !kinds.findByName(type) ? members : [kindNamed(type, kinds)]
}

/** Every type once, in its preferred version. */
export const preferred = (kinds: Kinds): KindInfo[] =>
  kinds.all.filter(one => kinds.findResource(one.group, one.resource) === one)

/** The type of an object in a file. */
export function kindOfObject({ apiVersion, kind }: { apiVersion?: string; kind?: string }, kinds: Kinds): KindInfo {
  const found = kinds.find(kind ?? '', apiVersion)
  if (found) return found
  const others = kinds.all.filter(one => one.kind === kind).map(apiVersionOf)
  const hint = others.length > 0 ? `; it serves ${kind} in ${others.join(', ')}` : ''
  throw new UsageError(`the server has no kind "${kind}" in version "${apiVersion}"${hint}`)
}
