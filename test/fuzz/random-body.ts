import { stringify } from 'yaml'
import type { Corpus } from './corpus.js'
import { mutateText, mutateValue } from './mutate.js'
import { anyValue, fittingValue, names, randomText } from './random-value.js'
import type { SeededRandom } from './seeded-random.js'
import type { ServedApi, Target } from './served-api.js'

/** What requests are made of. */
export interface Vocabulary {
  readonly api: ServedApi
  readonly corpus: Corpus
  readonly protobufType: string
  readonly metaGroup: string
}
export interface RandomBody {
  readonly contentType: string
  readonly bytes: Buffer
}

/** A body for a target: an object of its schema, a recorded one, or a part of either; mostly complete. */
export function randomBody(
  random: SeededRandom,
  vocabulary: Vocabulary,
  target: Target,
  method: string,
  name: string,
): RandomBody | undefined {
  if (method === 'DELETE' ? random.fraction() < 0.7 : method === 'GET' || method === 'HEAD') return undefined
  const value = method === 'DELETE' ? randomOptions(random) : randomObject(random, vocabulary, target, name)
  while (random.fraction() < 0.2) mutateValue(random, value)
  if (method === 'PATCH') return randomPatch(random, value)
  const dice = random.fraction()
  if (dice < 0.1) return asYaml(random, value)
  if (dice < 0.15) return asProtobuf(random, vocabulary, target)
  const contentType = dice < 0.98 ? 'application/json' : random.pick(['', ';', 'text/plain', 'application/json;;'])
  return { contentType, bytes: textBytes(random, JSON.stringify(value)) }
}

/** One text in fifteen is corrupted. */
const textBytes = (random: SeededRandom, text: string): Buffer =>
  Buffer.from(random.fraction() < 0.05 ? mutateText(random, text) : text)

function randomObject(
  random: SeededRandom,
  { api, corpus }: Vocabulary,
  target: Target,
  name: string,
): Record<string, unknown> {
  const below = target.subresource && `/${target.subresource}`
  const sent =
    corpus.get(`${target.root}/${target.resource}${below}`) ?? corpus.get(`${target.root}/${target.resource}`)
  const known = sent && random.fraction() < 0.6 ? JSON.parse(random.pick(sent)) : undefined
  const isObject = typeof known === 'object' && known !== null && !Array.isArray(known)
  const value = isObject ? known : target.schema ? fittingValue(random, api, target.schema) : {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const object = value as Record<string, unknown>
  if (random.fraction() < 0.95) Object.assign(object, { apiVersion: target.apiVersion, kind: target.kind })
  if (random.fraction() < 0.9) {
    const metadata = random.fraction() < 0.2 && typeof object['metadata'] === 'object' ? object['metadata'] : {}
    object['metadata'] = { ...metadata, name: random.fraction() < 0.95 ? name : random.pick(names) }
  }
  return object
}

const randomOptions = (random: SeededRandom): Record<string, unknown> => ({
  kind: random.pick(['DeleteOptions', 'DeleteOptions', 'Odd']),
  apiVersion: random.pick(['v1', 'v1', 'v9']),
  ...random.pick<object>([{}, { dryRun: ['All'] }, { propagationPolicy: 'Foreground' }, { gracePeriodSeconds: 0 }]),
  ...(random.fraction() < 0.2 ? { preconditions: { uid: 'x', resourceVersion: '1' } } : {}),
})

function asYaml(random: SeededRandom, value: unknown): RandomBody {
  return {
    contentType: 'application/yaml',
    bytes: textBytes(random, stringify(value, { aliasDuplicateObjects: true })),
  }
}

/** An envelope with bytes that may mean something. */
function asProtobuf(random: SeededRandom, { protobufType }: Vocabulary, { apiVersion, kind }: Target): RandomBody {
  const part = (field: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([(field << 3) | 2, ...lengthOf(bytes.length)]), bytes])
  const type = Buffer.concat([part(1, Buffer.from(apiVersion)), part(2, Buffer.from(kind))])
  const metadata = part(1, part(1, Buffer.from(random.pick(names))))
  const rest = part(random.between(1, 15), random.bytes(random.between(0, 60)))
  const raw = Buffer.concat(random.fraction() < 0.5 ? [metadata] : [metadata, rest])
  const bytes = Buffer.concat([Buffer.from('k8s\0'), part(1, type), part(2, raw)])
  return {
    contentType: protobufType,
    bytes: random.fraction() < 0.2 ? bytes.subarray(0, random.between(0, bytes.length)) : bytes,
  }
}

const lengthOf = (length: number) => (length < 128 ? [length] : [(length & 127) | 128, length >> 7])

function randomPatch(random: SeededRandom, value: unknown): RandomBody {
  const type = random.pick(['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'])
  const contentType = `application/${type}`
  if (type === 'json-patch+json')
    return { contentType, bytes: textBytes(random, JSON.stringify(randomOperations(random))) }
  if (type === 'strategic-merge-patch+json') addDirectives(random, value as Record<string, unknown>)
  if (type === 'apply-patch+yaml' && random.fraction() < 0.3) return { ...asYaml(random, value), contentType }
  return { contentType, bytes: textBytes(random, JSON.stringify(value)) }
}

const pointers =
  '/metadata/labels /metadata/labels/a /metadata/name /spec /data /data/k /spec/containers/0 /status /'.split(' ')

const randomOperations = (random: SeededRandom): unknown[] =>
  Array.from({ length: random.pick([1, 2, 3, 60]) }, () => ({
    op: random.pick(['add', 'add', 'remove', 'replace', 'move', 'copy', 'test', 'fly']),
    path: random.fraction() < 0.8 ? random.pick([...pointers, '/spec/-', '']) : randomText(random),
    from: random.pick(pointers),
    value: anyValue(random),
  }))

function addDirectives(random: SeededRandom, value: Record<string, unknown>): void {
  if (random.fraction() < 0.5) return
  const directives = ['$patch', '$retainKeys', '$setElementOrder/containers', '$deleteFromPrimitiveList/finalizers']
  const places = [value, value['metadata'], value['spec'], value['data']]
  const place = random.pick(places.filter(each => typeof each === 'object' && each !== null)) ?? value
  Object.assign(place, {
    [random.pick(directives)]: random.pick<unknown>([
      'delete',
      'replace',
      'merge',
      'explode',
      ['a'],
      [{ name: 'a' }],
      5,
    ]),
  })
}
