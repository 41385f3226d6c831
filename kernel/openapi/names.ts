import { ownValue, type ServedLevel, type Vendor } from 'orch/sdk'

/** Scalars that have their own definitions, because clients treat them specially. */
const namedScalars = {
  time: 'apis.meta.v1.Time',
  microTime: 'apis.meta.v1.MicroTime',
  quantity: 'api.resource.Quantity',
  intOrString: 'util.intstr.IntOrString',
  raw: 'runtime.RawExtension',
} as const
export type NamedScalar = keyof typeof namedScalars

/** Names in OpenAPI documents. */
export class OpenApiNames {
  readonly #vendor: Vendor

  constructor(vendor: Vendor) {
    this.#vendor = vendor
  }

  /** The version of the API that is described. */
  get level(): ServedLevel {
    return this.#vendor.level
  }

  /** `core.v1.ConfigMap` becomes `<prefix>core.v1.ConfigMap`; the meta types have their own prefix. */
  definition(structName: string): string {
    const { definitionPrefix, definitionPrefixes, metaDefinitionPrefix } = this.#vendor.profile
    if (structName.startsWith('meta.')) return `${metaDefinitionPrefix}apis.${structName}`
    if (structName.startsWith('version.')) return metaDefinitionPrefix + structName
    const ofPackage = ownValue(definitionPrefixes, structName.slice(0, structName.indexOf('.')))
    return (ofPackage ?? definitionPrefix) + structName
  }

  scalar(kind: NamedScalar): string {
    return this.#vendor.profile.metaDefinitionPrefix + namedScalars[kind]
  }

  extension(name: string): string {
    return this.#vendor.extension(name)
  }

  /** The kinds of a definition, or the kind of an operation, under every name by which clients look for it. */
  kinds(kinds: unknown): Record<string, unknown> {
    const { extensionPrefix, foreignExtensionPrefix = extensionPrefix } = this.#vendor.profile
    const name = 'group-version-kind'
    return { [extensionPrefix + name]: kinds, [foreignExtensionPrefix + name]: kinds }
  }

  /** `CoreV1`, `RbacAuthorizationV1`: the group and version in operation ids. */
  operationScope(group: string, version = ''): string {
    return this.#groupWords(group).map(capitalised).join('') + capitalised(version)
  }

  /** `core_v1`, `rbacAuthorization_v1`. */
  tag(group: string, version = ''): string {
    const [first, ...others] = this.#groupWords(group)
    const name = first! + others.map(capitalised).join('')
    return version === '' ? name : `${name}_${version}`
  }

  #groupWords(group: string): string[] {
    if (group === '') return ['core']
    const domain = `.${this.#vendor.profile.groupDomain}`
    return (group.endsWith(domain) ? group.slice(0, -domain.length) : group).split('.')
  }
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
