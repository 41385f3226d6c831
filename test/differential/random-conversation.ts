import { stringify } from 'yaml'
import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Target } from '../fuzz/served-api.js'
import { isObject, type JsonObject } from '../golden/json-paths.js'
import type { Scenario, Step } from '../golden/scenario.js'
import { inSomeFormat } from './body-format.js'
import { harmless, isCompletedLater, isDeletedLater, isTriedOnly, keptFinalizers } from './harmless.js'
import { preparation, randomUser } from './preparation.js'
import { protobufMediaType } from './protobuf-bodies.js'
import { patchTypes, randomPatch } from './random-patch.js'
import { randomList, randomRead, randomWatch } from './random-reading.js'
import { type Parameters, randomAccept, randomDeletion, randomSelectors, randomWriting } from './request-options.js'
import { newValue, varyMetadata, varyObject } from './vary-object.js'
import type { ServedType, Vocabulary } from './vocabulary.js'

/** Verbs in the share in which they are tried, as far as a type has them. */
const verbShares = {
  create: 12,
  get: 12,
  list: 10,
  update: 18,
  patch: 30,
  delete: 6,
  deletecollection: 2,
  subresource: 18,
}
type Verb = keyof typeof verbShares
/** The share of conversations with a watch, which take longer because the end of events is not signalled. */
const watchShare = 0.1

/** A conversation about one type: several users create, change, read and delete a few objects of it. */
export function randomConversation(random: SeededRandom, vocabulary: Vocabulary, number: number): Scenario {
  const type = random.pick(vocabulary.types)
  return new Conversation(random, vocabulary, type, number).scenario()
}

class Conversation {
  readonly #random: SeededRandom
  readonly #vocabulary: Vocabulary
  readonly #type: ServedType
  readonly #number: number
  readonly #isTriedOnly: boolean
  readonly #isNeverDeleted: boolean
  readonly #group: string
  /** What was sent for each object, to change it from there. */
  readonly #sent = new Map<string, JsonObject>()
  readonly #users = new Set<string>()

  constructor(random: SeededRandom, vocabulary: Vocabulary, type: ServedType, number: number) {
    this.#random = random
    this.#vocabulary = vocabulary
    this.#type = type
    this.#number = number
    const { root, resource } = type.target
    this.#group = root.startsWith('/apis/') ? (root.split('/')[2] ?? '') : ''
    this.#isTriedOnly = isTriedOnly(this.#group, resource)
    this.#isNeverDeleted = this.#isTriedOnly || isDeletedLater(resource)
  }

  scenario(): Scenario {
    const { target } = this.#type
    const steps: Step[] = []
    const length = this.#random.between(2, 10)
    if (target.verbs.includes('create')) steps.push(this.#create())
    const isWatched = target.verbs.includes('watch') && this.#random.fraction() < watchShare
    const watch = isWatched ? randomWatch(this.#random, target, this.#collection(), names) : undefined
    if (watch) steps.push(watch.start)
    while (steps.length < length) steps.push(this.#step())
    if (watch) steps.push(watch.end)
    const name = `${target.resource}-${this.#number}`
    return {
      name,
      area: 'differential',
      file: `differential/${name}.json`,
      vars: { ns: 'd-{{run}}' },
      steps: [...(target.namespaced ? preparation(this.#users) : []), ...steps, ...this.#cleanup()],
    }
  }

  #cleanup(): Step[] {
    const { verbs, namespaced, resource } = this.#type.target
    // Namespaces are kept: deleting thousands of them would keep the loops busy. Services are deleted, because addresses are scarce.
    if (!verbs.includes('delete') || this.#isTriedOnly || (namespaced && resource !== 'services')) return []
    return names.map(name => ({ method: 'DELETE', path: `${this.#collection()}/${name}`, cleanup: true }))
  }

  #collection(): string {
    const { root, resource, namespaced } = this.#type.target
    return `${root}${namespaced ? '/namespaces/{{ns}}' : ''}/${resource}`
  }

  #step(): Step {
    const { subresources, target } = this.#type
    const possible = (Object.keys(verbShares) as Verb[]).filter(verb =>
      verb === 'subresource' ? subresources.length > 0 : target.verbs.includes(verb),
    )
    switch (this.#weighted(possible)) {
      case 'create':
        return this.#create()
      case 'get':
        return this.#read()
      case 'list':
        return this.#list()
      case 'update':
        return this.#update(target)
      case 'patch':
        return this.#patch(target)
      case 'delete':
        return this.#delete()
      case 'deletecollection':
        return this.#deleteAll()
      case 'subresource':
        return this.#subresource(this.#random.pick(subresources))
    }
  }

  #weighted(verbs: readonly Verb[]): Verb {
    let left = this.#random.fraction() * verbs.reduce((sum, verb) => sum + verbShares[verb], 0)
    for (const verb of verbs) if ((left -= verbShares[verb]) < 0) return verb
    return verbs[0] ?? 'create'
  }

  #name(): string {
    return this.#random.fraction() < 0.75 ? names[0]! : this.#random.fraction() < 0.8 ? names[1]! : 'none{{run}}'
  }

  #as(): Pick<Step, 'as' | 'headers'> {
    const user = randomUser(this.#random)
    this.#users.add(user)
    if (user !== 'admin' || this.#random.fraction() > 0.02) return user === 'admin' ? {} : { as: user }
    this.#users.add('alice')
    return { headers: { 'Impersonate-User': 'alice' } }
  }

  /** A body that was once sent to the type, or a new one, changed in a few places. */
  #object(target: Target, name: string): JsonObject {
    const random = this.#random
    const { valid, refused } = this.#type.bodiesOf(target)
    const known = random.fraction() < 0.9 && valid.length > 0 ? valid : refused.length > 0 ? refused : valid
    const schema = target.schema ?? {}
    const value = known.length > 0 ? structuredClone(random.pick(known)) : newValue(random, schema, this.#vocabulary)
    const object: JsonObject = isObject(value) ? value : {}
    const metadata = isObject(object['metadata']) ? object['metadata'] : {}
    const { namespace: _, resourceVersion: __, uid: ___, generateName: ____, ...rest } = metadata
    Object.assign(object, { apiVersion: target.apiVersion, kind: target.kind })
    const labels = isObject(rest['labels']) ? rest['labels'] : {}
    const isNamedByRule = ['customresourcedefinitions', 'apiservices', 'ipaddresses'].includes(target.resource)
    object['metadata'] = {
      ...rest,
      name: isNamedByRule && typeof rest['name'] === 'string' ? rest['name'] : name,
      labels: { ...labels, run: '{{run}}' },
    }
    for (let times = random.pick([0, 1, 1, 2, 3]); times > 0; times--)
      varyObject(random, object, schema, this.#vocabulary)
    if (isObject(object['metadata'])) varyMetadata(random, object['metadata'])
    return object
  }

  #written(method: string, path: string, body: unknown, target: Target): Step {
    const random = this.#random
    const query = randomWriting(random, this.#isTriedOnly || isCompletedLater(target.subresource))
    const isDryRun = query.includes('dryRun=All')
    const harmlessBody = harmless(body, isDryRun)
    const { headers, ...as } = this.#as()
    const accept = randomAccept(random, false)
    const step: Step = {
      method,
      path: path + query,
      ...as,
      save: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' },
    }
    return inSomeFormat(random, withHeaders(step, { ...headers, ...accept }), harmlessBody, target)
  }

  #create(): Step {
    const { target } = this.#type
    const name = this.#name() === names[1] ? names[1]! : names[0]!
    const [object, path] = [this.#object(target, name), this.#collection()]
    this.#sent.set(name, object)
    if (this.#random.fraction() < 0.02 && isObject(object['metadata'])) {
      const { name: _, ...metadata } = object['metadata']
      // With a number, because lists must not be in the order of what the servers append.
      metadata['generateName'] = `{{run}}-${this.#random.between(0, 9999)}-`
      return this.#written('POST', path, { ...object, metadata }, target)
    }
    return this.#written('POST', path, object, target)
  }

  /** What was sent last, changed, or another body of the type; with the version that was read last, or an old one. */
  #changed(target: Target, name: string): JsonObject {
    const random = this.#random
    const last = this.#sent.get(name)
    const base = last && random.fraction() < 0.85 ? structuredClone(last) : this.#object(target, name)
    if (last && base)
      for (let n = random.pick([0, 1, 1, 2]); n > 0; n--)
        varyObject(random, base, target.schema ?? {}, this.#vocabulary)
    return base
  }

  #update(target: Target): Step {
    const random = this.#random
    const name = this.#name()
    const object = this.#changed(target, name)
    if (target.subresource === '') this.#sent.set(name, structuredClone(object))
    if (isObject(object['metadata'])) {
      Object.assign(object['metadata'], keptFinalizers(target.resource))
      const dice = random.fraction()
      if (dice < 0.4) object['metadata'] = { ...object['metadata'], resourceVersion: '{{rv}}' }
      else if (dice < 0.45)
        object['metadata'] = { ...object['metadata'], resourceVersion: random.pick(['1', 'x', '0']) }
      if (random.fraction() < 0.05)
        object['metadata'] = { ...(object['metadata'] as JsonObject), uid: random.pick(['{{uid}}', 'x']) }
    }
    return this.#written('PUT', this.#path(target, name), object, target)
  }

  #path(target: Target, name: string): string {
    return `${this.#collection()}/${name}${target.subresource && `/${target.subresource}`}`
  }

  #patch(target: Target): Step {
    const random = this.#random
    const name = this.#name()
    const type = random.pick(patchTypes)
    const object = this.#sent.get(name) ?? this.#object(target, name)
    const { patches } = this.#type.bodiesOf(target)
    const source = { object, schema: target.schema ?? {}, known: patches, vocabulary: this.#vocabulary }
    const patch = randomPatch(random, type, source)
    const isApply = type === 'apply-patch+yaml'
    const query = randomWriting(random, this.#isTriedOnly || isCompletedLater(target.subresource), isApply)
    const sent = harmless(patch.body, query.includes('dryRun=All'))
    const { headers, ...as } = this.#as()
    const accept = randomAccept(random, false)
    const step: Step = {
      method: 'PATCH',
      path: this.#path(target, name) + query,
      ...as,
      save: { rv: 'metadata.resourceVersion', uid: 'metadata.uid' },
      ...(patch.isYaml ? { bodyText: stringify(sent) } : { body: sent }),
    }
    return withHeaders(step, { ...headers, ...accept, ...patch.headers })
  }

  /** Now and then through another version of the group. */
  #readCollection(): string {
    const { root } = this.#type.target
    const other = this.#random.fraction() < 0.15 ? this.#random.pick([root, ...this.#type.otherRoots]) : root
    return this.#collection().replace(root, other)
  }

  #read(): Step {
    const { headers, ...as } = this.#as()
    const read = randomRead(this.#random, `${this.#readCollection()}/${this.#name()}`)
    return withHeaders({ method: 'GET', ...read, ...as }, { ...headers, ...read.headers })
  }

  #list(): Step {
    const { headers, ...as } = this.#as()
    const list = randomList(this.#random, this.#type.target, this.#readCollection(), names)
    return withHeaders({ method: 'GET', ...list, ...as }, { ...headers, ...list.headers })
  }

  #delete(): Step {
    const { headers, ...as } = this.#as()
    const { query, body } = randomDeletion(this.#random, this.#isNeverDeleted)
    const step = { method: 'DELETE', path: `${this.#collection()}/${this.#name()}${query}`, ...as }
    const isProtobuf = body && this.#random.fraction() < 0.3
    const whole = body ? { ...step, body } : step
    return withHeaders(whole, { ...headers, ...(isProtobuf ? { 'Content-Type': protobufMediaType } : {}) })
  }

  #deleteAll(): Step {
    const { target } = this.#type
    // The account of a namespace is recreated asynchronously.
    const isOwn = target.resource === 'serviceaccounts' || this.#random.fraction() < 0.5
    const selectors: Parameters = isOwn
      ? [['labelSelector', 'run={{run}}']]
      : randomSelectors(this.#random, target, names)
    const { query, body } = randomDeletion(this.#random, this.#isNeverDeleted, selectors)
    return { method: 'DELETE', path: this.#collection() + query, ...(body ? { body } : {}) }
  }

  #subresource(target: Target): Step {
    const writing = target.verbs.filter(verb => verb === 'create' || verb === 'update' || verb === 'patch')
    const random = this.#random
    if (target.verbs.includes('get') && (writing.length === 0 || random.fraction() < 0.2))
      return { method: 'GET', path: this.#path(target, this.#name()) }
    const verb = random.pick(writing)
    if (verb === 'update') return this.#update(target)
    if (verb === 'patch') return this.#patch(target)
    const name = this.#name()
    return this.#written('POST', this.#path(target, name), this.#object(target, name), target)
  }
}

/** Few, so that requests affect each other. */
const names = ['a{{run}}', 'b{{run}}'] as const

const withHeaders = ({ headers: _, ...step }: Step, headers: Readonly<Record<string, string | null>>): Step =>
  Object.keys(headers).length === 0 ? step : { ...step, headers }
