import type { ActionSubresource, ConnectSubresource, ResourceDefinition } from 'orch/sdk'
import type { UpdateSubresource } from 'orch/sdk/host'
import { allVerbs } from 'orch/sdk/host'
import { isPatchable } from '../types/action-type.js'
import { type Conventions, conventionsOf } from '../types/conventions.js'
import { verbsOfVirtual } from '../types/resource-type.js'
import type { GroupVersionKind } from './definitions.js'
import { capitalised, type OpenApiNames } from './names.js'
import type { Method, Operation } from './operation.js'
import {
  commonParameters,
  customPatchesForce,
  deleteCollectionParameters,
  deleteParameters,
  isParameterAt,
  listParameters,
  namespaceParameters,
  objectParameters,
  optionParameters,
  type Parameter,
  patchParameters,
  proxyPathParameter,
  readParameters,
  writeParameters,
} from './parameters.js'
import type { ActionBody, TypeBodies } from './type-bodies.js'

const patchMediaTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]

/** The operations of one served version of a type. */
export class TypeOperations {
  readonly #definition: ResourceDefinition
  readonly #kind: GroupVersionKind
  readonly #bodies: TypeBodies
  readonly #conventions: Conventions
  readonly #mediaTypes: readonly string[]
  readonly #consumes: readonly string[]
  readonly #scope: string
  readonly #tag: string
  readonly #hasParameter: (parameter: Parameter) => boolean
  readonly #customPatchesHaveForce: boolean

  constructor(
    names: OpenApiNames,
    mediaTypes: readonly string[],
    definition: ResourceDefinition,
    kind: GroupVersionKind,
    bodies: TypeBodies,
  ) {
    const { hasProtobuf, openApi } = (this.#conventions = conventionsOf(definition))
    const version = definition.versions.find(({ name }) => name === kind.version)
    const isInProtobuf = hasProtobuf && version?.protobuf !== false
    this.#mediaTypes = isInProtobuf ? mediaTypes : mediaTypes.filter(type => !type.endsWith('protobuf'))
    this.#consumes = openApi.describesConsumedTypes ? this.#mediaTypes : ['*/*']
    this.#hasParameter = isParameterAt(names.level)
    this.#customPatchesHaveForce = names.level.has(customPatchesForce)
    this.#definition = definition
    this.#kind = kind
    this.#bodies = bodies
    this.#scope = names.operationScope(kind.group, kind.version)
    this.#tag = names.tag(kind.group, kind.version)
  }

  collection(): Operation[] {
    const { kind } = this.#kind
    const operations: Operation[] = []
    if (this.#allows('list')) {
      operations.push(this.#list(this.#collectionPath, `list${this.#scope}${this.#namespaced}${kind}`))
      if (this.#definition.namespaced) {
        operations.push(
          this.#list(`${this.#prefix}/${this.#definition.resource}`, `list${this.#scope}${kind}ForAllNamespaces`),
        )
      }
    }
    if (this.#allows('create')) {
      operations.push(
        this.#operation('post', this.#collectionPath, `create${this.#scope}${this.#namespaced}${kind}`, {
          action: 'post',
          description: `create ${article(kind)} ${kind}`,
          parameters: writeParameters,
          body: { definition: this.#bodies.object, isRequired: true },
          responses: { 200: this.#bodies.object, 201: this.#bodies.object, 202: this.#bodies.object },
        }),
      )
    }
    if (this.#allows('deletecollection')) {
      operations.push(
        this.#operation('delete', this.#collectionPath, `delete${this.#scope}Collection${this.#namespaced}${kind}`, {
          action: 'deletecollection',
          description: `delete collection of ${kind}`,
          parameters: deleteCollectionParameters,
          body: { definition: this.#bodies.deleteOptions, isRequired: false },
          responses: { 200: this.#bodies.status },
        }),
      )
    }
    return operations
  }

  object(): Operation[] {
    const operations = this.#readAndWrite('', verb => this.#allows(verb))
    if (this.#allows('delete')) {
      const { kind } = this.#kind
      operations.push(
        this.#operation('delete', this.#objectPath, `delete${this.#scope}${this.#namespaced}${kind}`, {
          action: 'delete',
          description: `delete ${article(kind)} ${kind}`,
          parameters: deleteParameters,
          body: { definition: this.#bodies.deleteOptions, isRequired: false },
          responses: { 200: this.#bodies.status, 202: this.#bodies.status },
        }),
      )
    }
    return operations
  }

  updateSubresource(name: string, { verbs = ['get', 'update', 'patch'] }: UpdateSubresource): Operation[] {
    return this.#readAndWrite(name, verb => verbs.includes(verb))
  }

  actionSubresource(name: string, subresource: ActionSubresource, body: ActionBody): Operation[] {
    const { handlers, connect } = subresource
    if (this.#conventions.openApi.patchesAsWrites && isPatchable(subresource))
      return this.#readAndWrite(name, () => true, body.definition)
    const methods = { get: ['get', 'read'], create: ['post', 'create'], update: ['put', 'replace'] } as const
    const { definition } = body
    const responses = {
      get: { 200: definition },
      create: { 200: definition, 201: definition, 202: definition },
      update: { 200: definition, 201: definition },
    }
    const operations = (Object.keys(handlers) as (keyof typeof methods)[]).map(verb => {
      const [method, word] = methods[verb]
      return this.#operation(method, `${this.#objectPath}/${name}`, this.#objectId(word, name), {
        action: connect ? 'connect' : method,
        kind: body.kind,
        description: `${word} ${name} of ${article(this.#kind.kind)} ${this.#kind.kind}`,
        parameters: verb === 'get' ? [] : writeParameters,
        ...(verb === 'get' ? {} : { body: { definition: body.definition, isRequired: true } }),
        responses: responses[verb],
      })
    })
    if (!isPatchable(subresource)) return operations
    return [...operations, ...this.#readAndWrite(name, verb => verb === 'patch', definition, body.kind)]
  }

  connectSubresource(name: string, { verbs, schema, reads, objectKind, pathOption }: ConnectSubresource): Operation[] {
    const methods = { get: 'get', create: 'post', update: 'put', patch: 'patch', delete: 'delete' } as const
    const path = `${this.#objectPath}/${name}`
    const subject = `${this.#namespaced}${this.#kind.kind}${capitalised(name)}`
    const about = `${name} of ${article(this.#kind.kind)} ${this.#kind.kind}`
    const details = {
      kind: { ...this.#kind, kind: objectKind },
      produces: reads ? ['text/plain', ...this.#mediaTypes] : ['*/*'],
      parameters: optionParameters(schema),
      responses: { 200: undefined },
    }
    if (reads) {
      const reading = { ...details, action: 'get', description: `read ${about}` }
      return [this.#operation('get', path, `read${this.#scope}${subject}`, reading)]
    }
    return verbs.flatMap(verb => {
      const method = methods[verb]
      const id = `connect${this.#scope}${capitalised(method)}${subject}`
      const connecting = {
        ...details,
        action: 'connect',
        description: `connect ${method.toUpperCase()} requests to ${about}`,
      }
      const operation = this.#operation(method, path, id, connecting)
      if (pathOption === undefined) return [operation]
      const parameters = [...details.parameters, proxyPathParameter]
      return [operation, this.#operation(method, `${path}/{path}`, `${id}WithPath`, { ...connecting, parameters })]
    })
  }

  #readAndWrite(
    subresource: string,
    allows: (verb: 'get' | 'update' | 'patch') => boolean,
    object = this.#bodies.object,
    kind = this.#kind,
  ): Operation[] {
    const path = subresource === '' ? this.#objectPath : `${this.#objectPath}/${subresource}`
    const { patch } = this.#bodies
    const { acceptsStrategicMerge, openApi } = this.#conventions
    const about = `${subresource === '' ? '' : `${subresource} of `}the specified ${this.#kind.kind}`
    const operations: Operation[] = []
    if (allows('get')) {
      operations.push(
        this.#operation('get', path, this.#objectId('read', subresource), {
          action: 'get',
          description: `read ${about}`,
          parameters: openApi.describesReadParameters ? readParameters : [],
          responses: { 200: object },
        }),
      )
    }
    if (allows('update')) {
      operations.push(
        this.#operation('put', path, this.#objectId('replace', subresource), {
          action: 'put',
          description: `replace ${about}`,
          parameters: writeParameters,
          body: { definition: object, isRequired: true },
          responses: { 200: object, 201: object },
        }),
      )
    }
    if (allows('patch')) {
      operations.push(
        this.#operation('patch', path, this.#objectId('patch', subresource), {
          action: 'patch',
          kind,
          description: `partially update ${about}`,
          consumes: patchMediaTypes.filter(type => acceptsStrategicMerge || !type.includes('strategic')),
          parameters: openApi.patchesAsWrites && !this.#customPatchesHaveForce ? writeParameters : patchParameters,
          body: { definition: patch, isRequired: true },
          responses: openApi.patchesAsWrites ? { 200: object } : { 200: object, 201: object },
        }),
      )
    }
    return operations
  }

  #list(path: string, id: string): Operation {
    const streams = this.#mediaTypes.filter(type => !type.endsWith('yaml')).map(type => `${type};stream=watch`)
    return this.#operation('get', path, id, {
      action: 'list',
      description: `list or watch objects of kind ${this.#kind.kind}`,
      produces: [...this.#mediaTypes, ...streams],
      parameters: listParameters,
      responses: { 200: this.#bodies.list() },
    })
  }

  #operation(
    method: Method,
    path: string,
    id: string,
    details: Pick<Operation, 'description' | 'parameters' | 'responses' | 'body'> & Partial<Operation>,
  ): Operation {
    return {
      kind: this.#kind,
      tag: this.#tag,
      consumes: this.#consumes,
      produces: this.#mediaTypes,
      ...details,
      method,
      path,
      id,
      parameters: [
        ...details.parameters.filter(this.#hasParameter),
        ...this.#pathParameters(path),
        ...commonParameters,
      ],
      responses: { ...details.responses, 401: undefined },
    }
  }

  #pathParameters(path: string): readonly Parameter[] {
    return [
      ...(path.includes('{name}') ? objectParameters : []),
      ...(path.includes('{namespace}') ? namespaceParameters : []),
    ]
  }

  #allows(verb: (typeof allVerbs)[number]): boolean {
    const { verbs, virtual } = this.#definition
    return (virtual ? verbsOfVirtual(virtual) : (verbs ?? allVerbs)).includes(verb)
  }

  #objectId(word: string, subresource: string): string {
    return `${word}${this.#scope}${this.#namespaced}${this.#kind.kind}${capitalised(subresource)}`
  }

  get #namespaced(): string {
    return this.#definition.namespaced ? 'Namespaced' : ''
  }
  get #prefix(): string {
    const { group, version } = this.#kind
    return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  }
  get #collectionPath(): string {
    const scope = this.#definition.namespaced ? '/namespaces/{namespace}' : ''
    return `${this.#prefix}${scope}/${this.#definition.resource}`
  }
  get #objectPath(): string {
    return `${this.#collectionPath}/{name}`
  }
}

const article = (word: string): string => (/^[AEIOU]/.test(word) ? 'an' : 'a')
